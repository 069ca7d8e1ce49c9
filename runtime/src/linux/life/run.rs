//! A profile while it is taken: paused and resumed, reset, and begun again in a forked child.
//!
//! *Context:* any.

use gmon_system::{arch, platform};

use super::parts::{self, Mode};
use crate::linux::{live, process, sampler, times, turns};
use crate::phase::{self, Phase, advance, is_taken};
use crate::state::{self, State};

/// State in which hooks are to count.
pub(super) fn counting() -> State {
    match arch::has_thread_pointer() {
        true if times::are_on() => State::Timed,
        true => State::On,
        false => State::Shared,
    }
}

/// Pauses counting and sampling until [`resume`].
pub(crate) fn pause() {
    begin_if_forked();
    turns::SWITCH.run(|| {
        if advance(Phase::Running, Phase::Paused) {
            state::set(State::Off);
            parts::pause();
            // What the program does until it goes on, or then, has nothing to do with what was not charged yet.
            parts::charge();
            parts::resume(Mode::Resting);
        }
    });
}

/// Goes on after [`pause`], or after the program has left `main`.
pub(crate) fn resume() {
    begin_if_forked();
    come_back();
    turns::SWITCH.run(|| {
        if advance(Phase::Paused, Phase::Running) {
            parts::pause();
            state::set(counting());
            parts::resume(Mode::Counting);
        }
    });
}

/// Has hooks do what they are to do now.
pub(super) fn renew_state() {
    turns::SWITCH.run(|| {
        if phase::get() == Phase::Running {
            state::set(counting());
        }
    });
}

/// Goes on with a profile that was written when the program left `main`.
pub(super) fn come_back() {
    if advance(Phase::Left, Phase::Starting) {
        live::go_on();
        state::set(counting());
        parts::resume(Mode::Counting);
        phase::set(Phase::Running);
    }
}

/// Has the sampler do what it did before it was stopped for a moment.
pub(super) fn go_on() {
    match phase::get() {
        Phase::Running => parts::resume(Mode::Counting),
        Phase::Paused => parts::resume(Mode::Resting),
        _ => {}
    }
}

/// Takes so many samples per second from now on, and sets all counts to zero: a profile has one rate. False if the
/// sampler has none that could be changed.
pub(super) fn change_rate(hz: u32) -> bool {
    let mut is_changed = false;
    turns::SWITCH.run(|| {
        is_changed = sampler::can_change_rate();
        if is_changed {
            parts::pause();
            sampler::change_rate(hz);
            reset();
            go_on();
        }
    });
    is_changed
}

/// Sets all counts to zero.
pub(crate) fn reset() {
    begin_if_forked();
    parts::reset();
}

/// Begins a forked child's own profile at once, so that its time is sampled even before its first
/// call.
pub(crate) fn after_fork_in_child() {
    begin_again_if(process::was_forked);
}

/// Begins the profile of this process if it was forked and has not done so yet.
pub(super) fn begin_if_forked() {
    if process::may_be_new_child() {
        begin_again_if(process::is_new_child);
    }
}

/// No signal may come between the discovery and the new beginning: its handler's hooks would count in
/// what is left of the parent's tables.
#[cold]
fn begin_again_if(is_child: fn() -> bool) {
    platform::without_signals(|| {
        if is_child() {
            begin_again();
        }
    });
}

/// Begins a forked child's own profile, from zero.
fn begin_again() {
    parts::forget();
    if is_taken() {
        parts::begin_again();
    }
    // It may have been wiped with the rest.
    state::set(match phase::get() {
        Phase::NotStarted | Phase::Starting => State::Idle,
        Phase::Running => counting(),
        _ => State::Off,
    });
    go_on();
}
