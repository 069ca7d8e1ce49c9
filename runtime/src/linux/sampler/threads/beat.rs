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

/// State of the beats: whether they can be had.
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
            replace(entry, beat.into_address());
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

/// Ends that of a thread.
pub(super) fn stop(entry: &Entry) {
    replace(entry, 0);
}

/// Ends that of a thread for good.
pub(super) fn give_up(entry: &Entry) {
    replace(entry, NO_MORE);
}

/// In place of an address: the thread is not to have one.
const NO_MORE: usize = 1;

fn replace(entry: &Entry, new: usize) {
    let address = entry.beat.swap(new, Ordering::AcqRel);
    if address != NO_MORE {
        // SAFETY: who has taken the address out of the entry is the only one who has it.
        unsafe { Beat::stop(address, page()) };
    }
}

/// Returns `true` if a thread has one.
pub(super) fn is_there(entry: &Entry) -> bool {
    ![0, NO_MORE].contains(&entry.beat.load(Ordering::Relaxed))
}

/// Ends all of them for good.
pub(super) fn leave() {
    refuse();
    roster::sampled().for_each(stop);
}

fn refuse() {
    STATE.store(REFUSED, Ordering::Release);
}

/// Returns `true` if threads have them, or may yet.
pub(super) fn are_possible() -> bool {
    STATE.load(Ordering::Acquire) != REFUSED
}

/// Returns `true` if threads have them.
pub(super) fn are_granted() -> bool {
    STATE.load(Ordering::Acquire) == GRANTED
}

fn page() -> usize {
    Program::get().map_or(0, |program| program.page)
}
