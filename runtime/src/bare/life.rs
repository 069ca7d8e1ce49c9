//! The life of a profile: started, paused, resumed, written and finished when the program says so.
//!
//! *Context:* `count_call` in a hook; `start` at startup; the rest anywhere but in a hook.

use core::ops::Range;
use core::sync::atomic::Ordering;

use gmon_system::atomic::AtomicBool;
use gmon_system::board::{self, Output};
use gmon_system::decimal::Decimal;
use gmon_system::message;
use gmon_system::program::Program;

use crate::bare::{note, threads};
use crate::histogram::Unit;
use crate::phase::{self, Phase, advance, is_taken};
use crate::state::{self, State};
use crate::{histogram, records, units};

/// Starts the profile, or another one, unless one is being taken. `range` is the code to sample; without it
/// that is all of the program. Calls are counted from the return on.
pub(crate) fn start(range: Option<Range<usize>>) {
    if !advance(Phase::NotStarted, Phase::Starting) && !advance(Phase::Finished, Phase::Starting) {
        return;
    }
    let program = Program::get().filter(|_| {
        note::reserve();
        threads::begin()
    });
    let Some(program) = program else {
        let size = Decimal::new(board::memory().len() as u64);
        message::say(&[
            b"gmon_board's memory of ",
            size.as_bytes(),
            b" bytes is too small: no profile is taken",
        ]);
        return phase::set(Phase::NotStarted);
    };
    reset();
    histogram::cover(range.unwrap_or_else(|| program.text.clone()));
    note::write(program);
    state::set(State::On);
    phase::set(Phase::Running);
}

/// Starts a profile, or another one, or goes on with one that was paused.
pub(crate) fn start_or_resume() {
    match phase::get() {
        Phase::Paused => resume(),
        _ => start(None),
    }
}

/// Nothing: the program says when the profile starts.
pub(crate) fn start_by_hook() {}

/// Pauses counting and sampling until [`resume`].
pub(crate) fn pause() {
    if advance(Phase::Running, Phase::Paused) {
        state::set(State::Off);
    }
}

/// Goes on after [`pause`].
pub(crate) fn resume() {
    if advance(Phase::Paused, Phase::Running) {
        state::set(State::On);
    }
}

/// Sets all counts to zero.
pub(crate) fn reset() {
    threads::reset();
    units::reset();
    histogram::reset();
}

/// Writes the profile as it is now and goes on. False if it was not written: there is none, another
/// hart or what was interrupted is writing it, or the board did not take it.
pub(crate) fn snapshot() -> bool {
    static IS_WRITING: AtomicBool = AtomicBool::new(false);
    if !is_taken() || IS_WRITING.swap(true, Ordering::Acquire) {
        return false;
    }
    let written = write();
    IS_WRITING.store(false, Ordering::Release);
    written
}

fn write() -> bool {
    let Some(program) = Program::get() else { return false };
    let mut buffer = [0; 256];
    let unit = Unit::seconds(board::ticks_per_second());
    let written = records::write(Output, &mut buffer, program, &unit).is_ok();
    if !written {
        message::say(&[b"gmon_board's write did not take the profile"]);
    }
    let lost = threads::lost();
    if lost != 0 {
        let (lost, size) = (Decimal::new(lost), Decimal::new(board::memory().len() as u64));
        message::say(&[
            lost.as_bytes(),
            b" calls were not counted: gmon_board's memory of ",
            size.as_bytes(),
            b" bytes is too small for their arcs",
        ]);
    }
    written
}

/// Stops the profile and writes it.
pub(crate) fn clean_up() {
    pause();
    snapshot();
    advance(Phase::Paused, Phase::Finished);
}

/// Counts one call that the stub could not count.
pub(crate) fn count_call(from_pc: usize, self_pc: usize) {
    if state::get() == State::On {
        threads::count(from_pc, self_pc);
    }
}
