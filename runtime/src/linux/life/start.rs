//! The beginning of a profile, and calls that the stubs cannot count.
//!
//! *Context:* `count_call` and `start_by_hook` hook; `start` startup or hook; the rest any.

use core::cell::Cell;
use core::ops::Range;

use gmon_stacks::Event;
use gmon_system::program::Program;
use gmon_system::{arch, c_library};

use super::end::attach;
use super::parts::{self, Begin, Mode};
use super::requests::ENTRIES;
use super::run::{begin_if_forked, come_back, counting, resume};
use crate::linux::options::Options;
use crate::linux::threads::By;
use crate::linux::{dormant, libcalls, threads};
use crate::phase::{self, Phase, advance};
use crate::state::{self, State};

/// Starts the profile unless one is being taken. `range` is the text to sample; without it the
/// whole text of the program is sampled, and a profile that was finished is not started again.
pub(crate) fn start(range: Option<Range<usize>>) {
    let is_first = advance(Phase::NotStarted, Phase::Starting);
    let begun = is_first || range.is_some() && advance(Phase::Finished, Phase::Starting);
    if !begun {
        return;
    }
    let options = Options::get();
    if options.off || dormant::is_left_alone() {
        phase::set(Phase::Off);
        return state::set(State::Off);
    }
    // Also where the range is given: at exit it may be too late to ask the system.
    let program = Program::get();
    let code = range.or_else(|| program.map(|program| program.text.clone()));
    let begin = Begin { is_first, code, is_saved: Cell::new(true), entries: &ENTRIES };
    parts::begin(&begin);
    if !is_first && begin.is_saved.get() {
        parts::reset();
    }
    if options.paused && is_first {
        state::set(State::Off);
        phase::set(Phase::Paused);
        return parts::resume(Mode::Resting);
    }
    state::set(counting());
    parts::resume(Mode::Counting);
    phase::set(Phase::Running);
}

/// Starts a profile, or another one, or goes on with one that was paused.
pub(crate) fn start_or_resume() {
    begin_if_forked();
    match phase::get() {
        Phase::Finished => start(Program::get().map(|program| program.text.clone())),
        Phase::Paused | Phase::Left => resume(),
        _ => start(None),
    }
    attach();
}

/// Returns `true` if calls were counted before the profile could start.
#[cfg(not(test))]
pub(crate) fn has_early_calls() -> bool {
    phase::get() == Phase::NotStarted && !threads::is_empty()
}

/// Counts one call that the stub could not count.
pub(crate) fn count_call(from_pc: usize, self_pc: usize) {
    if state::get() != State::Off {
        begin_if_forked();
    }
    start_by_hook();
    libcalls::meet(self_pc);
    match state::get() {
        State::Off => {}
        State::On | State::Timed => {
            let by = || if libcalls::counts(self_pc) { By::Stub } else { By::Hook };
            threads::count(from_pc, self_pc, by);
        }
        State::Shared => threads::count_shared(from_pc, self_pc),
        State::Idle => threads::count_early(from_pc, self_pc),
    }
}

/// Notes an event that the program tells, if times are kept.
///
/// # Safety
/// A name must be null or a string that ends with NUL.
pub(crate) unsafe fn note(event: Event) {
    begin_if_forked();
    // While hooks count, there is one; asking the system takes longer than all of this.
    let has_thread_pointer = || match state::get() {
        State::On | State::Timed => true,
        State::Shared => false,
        State::Idle | State::Off => arch::has_thread_pointer(),
    };
    if gmon_stacks::keep_times() && has_thread_pointer() {
        // SAFETY: the caller's promise.
        unsafe { threads::note_event(event) };
    }
}

/// Starts the profile before the program's constructors do, or in place of them, where no start file
/// calls any; or goes on with it among the destructors. In a static program even thread-local storage
/// may not be there yet: where the C library will make it, the profile starts after that; without
/// one, nobody ever will. In a dynamic one functions of `.preinit_array` come before the C library knows the
/// environment, in which the user may want something else or no profile: it starts after that.
pub(crate) fn start_by_hook() {
    if state::get() != State::Idle {
        return;
    }
    come_back();
    if !c_library::has_environment() {
        return;
    }
    if arch::has_thread_pointer() || !c_library::sets_up_threads() {
        start(None);
    }
}
