//! Phase in the life of the profile.
//!
//! *Context:* any.

use core::sync::atomic::Ordering;

use gmon_system::atomic::AtomicU32;

/// A part of the profile's life.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Phase {
    NotStarted,
    Starting,
    Running,
    Paused,
    Finished,
    /// The program has left `main` and its profile is written, but destructors may still count: the next
    /// call opens the profile again.
    Left,
    /// There is no profile any more, or the user wants none.
    Off,
}

static PHASE: AtomicU32 = AtomicU32::new(Phase::NotStarted as u32);

/// The phase.
pub(crate) fn get() -> Phase {
    use Phase::{Finished, Left, NotStarted, Off, Paused, Running, Starting};
    let phases = [NotStarted, Starting, Running, Paused, Finished, Left];
    let number = PHASE.load(Ordering::Acquire);
    phases.into_iter().find(|phase| *phase as u32 == number).unwrap_or(Off)
}

/// Enters a phase.
pub(crate) fn set(phase: Phase) {
    PHASE.store(phase as u32, Ordering::Release);
}

/// Moves on from `from` to `to`; false if it was in another.
pub(crate) fn advance(from: Phase, to: Phase) -> bool {
    PHASE.compare_exchange(from as u32, to as u32, Ordering::AcqRel, Ordering::Relaxed).is_ok()
}

/// Returns `true` if a profile is being taken, or was paused.
pub(crate) fn is_taken() -> bool {
    matches!(get(), Phase::Running | Phase::Paused)
}
