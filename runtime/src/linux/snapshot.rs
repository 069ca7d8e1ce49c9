//! The profile written while the program runs: on a signal, or every so many seconds.
//!
//! *Context:* `begin` startup or hook; `is_due` signal.

use core::sync::atomic::Ordering;

use gmon_system::atomic::AtomicU64;
use gmon_system::message;
use gmon_system::platform::{self, Handler, SignalOwner};

use crate::linux::options::Options;

/// When the next file is due, in seconds since the system started; 0 before the first tick.
static DUE: AtomicU64 = AtomicU64::new(0);

/// Has `handler` run at the signal that the user chose.
pub(crate) fn begin(handler: Handler) {
    let signal = Options::get().snapshot;
    if signal != 0 && platform::handle(signal, handler) == SignalOwner::Program {
        message::say(&[
            b"the program handles the signal of `snapshot` itself: no snapshots are written",
        ]);
    }
}

/// Returns `true` if a file is due, once for each. Asked with the samples: while the program uses no CPU time, what
/// a file would tell does not change.
pub(crate) fn is_due() -> bool {
    let period = u64::from(Options::get().flush);
    if period == 0 {
        return false;
    }
    let now = platform::uptime_seconds();
    let due = DUE.load(Ordering::Relaxed);
    let is_ours = || {
        let next = now + period;
        DUE.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    };
    now >= due && is_ours() && due != 0
}
