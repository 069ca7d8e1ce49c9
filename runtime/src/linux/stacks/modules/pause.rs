//! Times in which modules may be unloaded.
//!
//! *Context:* any.

use core::sync::atomic::{AtomicUsize, Ordering};

/// Somebody is about to unload modules: so many are.
static PAUSES: AtomicUsize = AtomicUsize::new(0);

/// As long as it is there, the rules of modules that may be unloaded are not read.
pub(in super::super) struct Pause;

/// Returns `true` if there is a pause.
pub(in super::super) fn may_leave() -> bool {
    PAUSES.load(Ordering::Acquire) != 0
}

/// Begins a pause.
pub(in super::super) fn pause() -> Pause {
    PAUSES.fetch_add(1, Ordering::AcqRel);
    Pause
}

impl Drop for Pause {
    fn drop(&mut self) {
        PAUSES.fetch_sub(1, Ordering::AcqRel);
    }
}
