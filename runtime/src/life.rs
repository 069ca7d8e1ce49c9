//! The life of a profile: started once by whoever comes first, paused and resumed at will,
//! finished at exit.
//!
//! *Context:* `count_call` in a hook; `start` at startup or in a hook; the rest as their callers in
//! [`abi`](crate::abi).

use core::ops::Range;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::program::Program;
use crate::state::{self, State};
use crate::{arch, histogram, message, sampler, threads, writer};

static PHASE: AtomicU32 = AtomicU32::new(NOT_STARTED);
const NOT_STARTED: u32 = 0;
const STARTING: u32 = 1;
const RUNNING: u32 = 2;
const FINISHING: u32 = 3;
const FINISHED: u32 = 4;

/// Moves the phase from `from` to `to`; false if it was another.
fn advance(from: u32, to: u32) -> bool {
    PHASE.compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed).is_ok()
}

/// Starts the profile unless one is being taken. `range` is the text to sample; without it the
/// whole text of the program is sampled, and a profile that was finished is not started again.
pub(crate) fn start(range: Option<Range<usize>>) {
    let begun = advance(NOT_STARTED, STARTING) || (range.is_some() && advance(FINISHED, STARTING));
    if !begun {
        return;
    }
    match range.or_else(|| Program::get().map(|program| program.text.clone())) {
        Some(range) => histogram::cover(range),
        None => message::say(&["cannot find the program's text: no samples are taken"]),
    }
    state::set(State::On);
    sampler::start();
    PHASE.store(RUNNING, Ordering::Release);
}

/// Has the C library call [`finish`] when the program exits. Once is enough.
pub(crate) fn write_at_exit() {
    extern "C" fn finish_at_exit(_: *mut core::ffi::c_void) {
        finish();
    }
    static REGISTERED: AtomicU32 = AtomicU32::new(0);
    if REGISTERED.swap(1, Ordering::Relaxed) == 0 {
        arch::at_exit(finish_at_exit);
    }
}

/// Stops counting and sampling until [`resume`].
pub(crate) fn pause() {
    if PHASE.load(Ordering::Acquire) == RUNNING {
        sampler::stop();
        state::set(State::Off);
    }
}

/// Goes on after [`pause`].
pub(crate) fn resume() {
    if PHASE.load(Ordering::Acquire) == RUNNING {
        state::set(State::On);
        sampler::start();
    }
}

/// Stops the profile and writes it. Memory stays mapped: another thread may still be inside a
/// hook, and a later profile uses it again from zero.
pub(crate) fn finish() {
    if !advance(RUNNING, FINISHING) {
        return;
    }
    sampler::stop();
    state::set(State::Off);
    writer::write();
    threads::reset();
    PHASE.store(FINISHED, Ordering::Release);
}

/// Counts one call that the stub could not count.
pub(crate) fn count_call(from_pc: usize, self_pc: usize) {
    match state::get() {
        State::Off => {}
        State::On => threads::count(from_pc, self_pc),
        // Before the program's constructors. In a static program even thread-local storage may not
        // be there yet; elsewhere no start file may follow, so the first hook starts the profile.
        State::Idle => {
            if arch::has_thread_pointer() {
                start(None);
            }
            if state::get() == State::On {
                threads::count(from_pc, self_pc);
            } else {
                threads::count_shared(from_pc, self_pc);
            }
        }
    }
}
