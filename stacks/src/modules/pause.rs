//! Times in which modules may be unloaded.
//!
//! *Context:* any.

use core::sync::atomic::{AtomicUsize, Ordering};

/// Somebody is about to unload modules: so many are. Who walks says so and then looks here, who unloads says so here and then
/// looks for walks: all of it in one order, so that one of them sees the other.
static PAUSES: AtomicUsize = AtomicUsize::new(0);

/// As long as it is there, the rules of modules that may be unloaded are not read.
pub(crate) struct Pause;

/// Returns `true` if there is a pause.
pub(crate) fn may_leave() -> bool {
    PAUSES.load(Ordering::SeqCst) != 0
}

/// Begins a pause.
pub(crate) fn pause() -> Pause {
    PAUSES.fetch_add(1, Ordering::SeqCst);
    Pause
}

/// Ends all pauses, in a forked child: threads that would end them stayed in the parent.
pub(super) fn forget() {
    PAUSES.store(0, Ordering::SeqCst);
}

impl Drop for Pause {
    fn drop(&mut self) {
        // In a child that was forked in the middle of it, it has ended before.
        let one_less = |pauses: usize| pauses.checked_sub(1);
        _ = PAUSES.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less);
    }
}
