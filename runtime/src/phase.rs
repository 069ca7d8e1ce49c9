//! Where in its life the profile is.
//!
//! *Context:* any.

use core::sync::atomic::{AtomicU32, Ordering};

static PHASE: AtomicU32 = AtomicU32::new(NOT_STARTED);
pub(crate) const NOT_STARTED: u32 = 0;
pub(crate) const STARTING: u32 = 1;
pub(crate) const RUNNING: u32 = 2;
pub(crate) const PAUSED: u32 = 3;
pub(crate) const FINISHED: u32 = 4;
/// There is no profile any more, or the user wants none.
pub(crate) const OFF: u32 = 5;
/// The program has left `main` and its profile is written, but destructors may still count: the next
/// call opens the profile again.
pub(crate) const LEFT: u32 = 6;

/// The phase.
pub(crate) fn get() -> u32 {
    PHASE.load(Ordering::Acquire)
}

/// Enters a phase.
pub(crate) fn set(phase: u32) {
    PHASE.store(phase, Ordering::Release);
}

/// Moves on from `from` to `to`; false if it was in another.
pub(crate) fn advance(from: u32, to: u32) -> bool {
    PHASE.compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed).is_ok()
}

/// Whether a profile is being taken, or was paused.
pub(crate) fn is_taken() -> bool {
    matches!(get(), RUNNING | PAUSED)
}
