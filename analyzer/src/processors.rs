//! How many processors there are to spread work over.

use std::num::NonZero;
use std::sync::OnceLock;
use std::thread;

/// The number of processors that this process may use.
///
/// The answer takes about a tenth of the time of a small report, so it is only for those with much work.
pub(crate) fn processors() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get))
}
