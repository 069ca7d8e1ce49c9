//! Requests to the profile: of `gmon ctl`, by way of the program's live file, and of the user for files meanwhile.
//!
//! Nobody sends the program a signal for `gmon ctl`, and no thread waits for requests, which would not follow when the
//! program gives up rights: whoever samples the program looks at the file too, at each tick. While nothing is to be
//! counted, the sampler goes on at a low rate, and delivers no samples.
//!
//! *Context:* signal, or a thread of ours.

use gmon_format::live::{Action, Answer};
use gmon_system::platform::{Context, Info};

use super::end::{finish, snapshot};
use super::parts::Entries;
use super::run::{change_rate, pause, renew_state, reset, resume};
use crate::linux::{dormant, live, process, snapshot, times, turns};

/// Ways from signals into the life.
pub(super) static ENTRIES: Entries = Entries { tick, on_signal, finish };

/// Does what is asked for, if anything is.
fn tick() {
    live::on_tick();
    if live::request().is_some() && process::owns_profile() {
        turns::OBEY.try_run(answer);
    }
    if snapshot::is_due() {
        snapshot();
    }
}

extern "C" fn on_signal(_signal: i32, _info: &Info, _context: &Context) {
    snapshot();
}

/// Answers a request, unless another thread has just done that.
fn answer() {
    if let Some(request) = live::request() {
        let is_done = obey(request.action);
        live::answer(Answer { number: request.number, is_refused: !is_done });
    }
}

/// Carries out a request; false if that cannot be done.
fn obey(action: Action) -> bool {
    match action {
        Action::On => resume(),
        Action::Off => pause(),
        Action::Reset => reset(),
        Action::Rate(rate) => return change_rate(rate),
        Action::Wake(count) => {
            let is_done = change_hooks(count, true);
            resume();
            return is_done;
        }
        Action::Sleep(count) => return change_hooks(count, false),
        Action::Time(count) => {
            let is_done = change_times(count, true);
            resume();
            return is_done;
        }
        Action::Untime(count) => return change_times(count, false),
    }
    true
}

/// Wakes hooks that are listed, or puts them to sleep.
fn change_hooks(count: u32, wake: bool) -> bool {
    let functions = live::listed(count);
    times::meet_hooks(functions.clone(), wake);
    renew_state();
    let is_done = dormant::change(functions, wake);
    live::describe();
    is_done
}

/// Begins to time the calls of functions that are listed, or ends it.
fn change_times(count: u32, on: bool) -> bool {
    let ends = live::listed(count);
    let starts = ends.clone().step_by(2);
    let functions = starts.zip(ends.skip(1).step_by(2)).map(|(start, end)| start..end);
    let is_done = times::switch(functions, on);
    renew_state();
    live::describe();
    is_done
}
