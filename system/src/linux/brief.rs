//! Descriptors that are open for a moment, which no forked child is to keep.
//!
//! *Context:* [`run`] any; [`hold`] and [`go_on`] around a fork; [`forget`] in the child.

use core::sync::atomic::{AtomicUsize, Ordering};

use crate::linux::platform;

/// Threads that have one open just now.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// Forks that go on.
static HELD: AtomicUsize = AtomicUsize::new(0);

/// Runs what opens a descriptor and closes it; not while a fork goes on.
pub fn run<R>(action: impl FnOnce() -> R) -> Option<R> {
    OPEN.fetch_add(1, Ordering::SeqCst);
    let result = (HELD.load(Ordering::SeqCst) == 0).then(action);
    OPEN.fetch_sub(1, Ordering::SeqCst);
    result
}

/// Has none opened until [`go_on`].
pub fn hold() {
    /// Not for ever.
    const PATIENCE: usize = 1000;
    HELD.fetch_add(1, Ordering::SeqCst);
    for _ in 0..PATIENCE {
        if OPEN.load(Ordering::SeqCst) == 0 {
            break;
        }
        platform::yield_cpu();
    }
}

/// Ends what [`hold`] began.
pub fn go_on() {
    let left = |held: usize| held.checked_sub(1);
    _ = HELD.fetch_update(Ordering::SeqCst, Ordering::SeqCst, left);
}

/// Forgets those of the parent's threads, in a forked child.
pub fn forget() {
    OPEN.store(0, Ordering::SeqCst);
    HELD.store(0, Ordering::SeqCst);
}
