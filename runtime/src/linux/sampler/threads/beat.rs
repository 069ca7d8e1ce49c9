//! The exact clocks of threads that are sampled more often than the scheduler looks at timers.
//!
//! A thread starts its own at its first sample: most threads are shorter than that. A kernel that does not let this
//! user have them is not asked again. Nor is one used in a process that is traced: its debugger would stop at each
//! signal.
//!
//! *Context:* `start` signal; `stop` any.

use core::sync::atomic::{AtomicUsize, Ordering};

use super::roster::{self, Entry};
use crate::linux::platform::{self, Beat};
use crate::linux::program::Program;
use crate::linux::sampler::signal;

/// Whether they can be had.
static STATE: AtomicUsize = AtomicUsize::new(UNKNOWN);
const UNKNOWN: usize = 0;
const GRANTED: usize = 1;
const REFUSED: usize = 2;

/// Starts one for the calling thread, unless it has one; whether it has just got it.
pub(super) fn start(entry: &Entry, period: i64) -> bool {
    if entry.beat.load(Ordering::Acquire) != 0 || !can_be_had() {
        return false;
    }
    match Beat::start(period, page()) {
        Ok(beat) => {
            let before = entry.beat.swap(beat.into_address(), Ordering::AcqRel);
            // SAFETY: who has taken the address out of the entry is the only one who has it.
            unsafe { Beat::stop(before, page()) };
            true
        }
        Err(error) => {
            // What is short for the moment may be there later.
            let short = [libc::EMFILE, libc::ENFILE, libc::ENOMEM];
            if !short.contains(&error.0) {
                refuse();
            }
            false
        }
    }
}

fn can_be_had() -> bool {
    if STATE.load(Ordering::Acquire) == UNKNOWN {
        let granted = !platform::is_traced() && signal::handle_beats() && page() != 0;
        STATE.store(if granted { GRANTED } else { REFUSED }, Ordering::Release);
    }
    STATE.load(Ordering::Acquire) == GRANTED
}

/// Ends that of a thread; whether it had one.
pub(super) fn stop(entry: &Entry) -> bool {
    let address = entry.beat.swap(0, Ordering::AcqRel);
    // SAFETY: who has taken the address out of the entry is the only one who has it.
    unsafe { Beat::stop(address, page()) };
    address != 0
}

/// Ends all of them for good.
pub(super) fn leave() {
    refuse();
    roster::sampled().for_each(|entry| _ = stop(entry));
}

fn refuse() {
    STATE.store(REFUSED, Ordering::Release);
}

/// Whether threads have them.
pub(super) fn are_granted() -> bool {
    STATE.load(Ordering::Acquire) == GRANTED
}

fn page() -> usize {
    Program::get().map_or(0, |program| program.page)
}
