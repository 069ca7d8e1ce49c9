//! The life of a profile: started once by whoever comes first, paused and resumed at will, begun
//! again in a forked child, written on request and at exit, and finished behind the last destructor.
//!
//! *Context:* `count_call` in a hook; `start` at startup or in a hook; `attach` at startup; the rest
//! anywhere.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::linux::options::Options;
use crate::linux::output::{self, Occasion};
use crate::linux::program::Program;
use crate::linux::threads::By;
use crate::linux::{
    c_library, control, dormant, ends, exclusive, ledger, libcalls, live, log, message, platform,
    process, sampler, snapshot, stacks, threads, writer,
};
use crate::phase::{self, Phase, advance, is_taken};
use crate::state::{self, State};
use crate::{arch, histogram, units};

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
    process::begin();
    output::begin();
    ledger::begin();
    if is_first {
        log::begin();
        options.say_wrong();
    }
    // Also where the range is given: at exit it may be too late to ask the system.
    let program = Program::get();
    let is_saved = program.is_none() || live::begin();
    if !is_first && is_saved {
        reset();
    }
    match range.or_else(|| program.map(|program| program.text.clone())) {
        Some(range) => histogram::cover(range),
        None => message::say(&[b"cannot find the program's code: no samples are taken"]),
    }
    sampler::reset();
    stacks::begin();
    stacks::tell_modules();
    libcalls::begin();
    if is_first {
        dormant::begin();
    }
    snapshot::begin();
    ends::handle_fatal_signals();
    if options.paused && is_first {
        state::set(State::Off);
        phase::set(Phase::Paused);
        return rest();
    }
    state::set(counting());
    start_sampling();
    phase::set(Phase::Running);
}

/// State in which hooks are to count.
fn counting() -> State {
    if arch::has_thread_pointer() { State::On } else { State::Shared }
}

fn start_sampling() {
    sampler::start();
    live::describe();
}

/// Takes no samples. In a live profile somebody has to look whether it is to go on.
fn rest() {
    if live::is_there() {
        sampler::listen();
    }
    live::describe();
}

/// True if a thread starts or stops counting.
static SWITCHING: AtomicBool = AtomicBool::new(false);

/// Starts or stops counting, while no other thread does, and no signal handler of this one.
fn switch(action: impl FnOnce()) {
    /// Turns of other threads after which one that holds others up is not waited for: its process may be ending.
    const PATIENCE: usize = 10_000;
    platform::without_signals(|| {
        for _ in 0..PATIENCE {
            if !SWITCHING.swap(true, Ordering::Acquire) {
                break;
            }
            platform::yield_cpu();
        }
        action();
        SWITCHING.store(false, Ordering::Release);
    });
}

/// Has the C library tell when the program forks and when it ends. Once is enough; false if it was
/// done before.
pub(crate) fn attach() -> bool {
    extern "C" fn at_quick_exit() {
        finish();
    }
    extern "C" fn before_fork() {
        sampler::fork_prepare();
    }
    extern "C" fn after_fork() {
        sampler::fork_parent();
    }
    extern "C" fn in_child() {
        after_fork_in_child();
    }
    static ATTACHED: AtomicBool = AtomicBool::new(false);
    let is_first = !ATTACHED.swap(true, Ordering::Relaxed);
    if is_first {
        await_exit();
        c_library::at_quick_exit(at_quick_exit);
        c_library::at_fork(before_fork, after_fork, in_child);
    }
    is_first
}

/// Has the C library call [`leave`] at exit, before what was registered until now.
pub(crate) fn await_exit() {
    extern "C" fn at_exit(_: *mut core::ffi::c_void) {
        leave();
    }
    c_library::at_exit(at_exit);
}

/// True if there is a start file, which calls `_mcleanup` at exit.
static HAS_START_FILE: AtomicBool = AtomicBool::new(false);

/// Notes that a start file has asked for a profile.
pub(crate) fn note_start_file() {
    HAS_START_FILE.store(true, Ordering::Relaxed);
}

/// True if the last call of [`clean_up`] has ended a profile that was running. The start file's comes at exit, after
/// all that the program makes itself.
static ENDED: AtomicBool = AtomicBool::new(false);

/// Stops the profile and writes it, as the start file asks at exit, or the program earlier.
pub(crate) fn clean_up() {
    ENDED.store(phase::get() == Phase::Running, Ordering::Relaxed);
    finish();
}

/// Writes the profile when the program exits, but lets a destructor that still counts go on with it:
/// the last of them, which is the runtime's own, then writes it again. If it never comes to that,
/// because a destructor ends the program, there is a profile all the same.
fn leave() {
    let may_go_on = match phase::get() {
        Phase::Running => true,
        // By the start file's `_mcleanup`, which a preloaded runtime cannot come before.
        Phase::Finished => {
            is_preloaded()
                && HAS_START_FILE.load(Ordering::Relaxed)
                && ENDED.load(Ordering::Relaxed)
        }
        _ => false,
    };
    finish();
    if may_go_on && advance(Phase::Finished, Phase::Left) {
        state::set(State::Idle);
    }
}

/// Returns `true` if the runtime is beside the program and not in it.
pub(crate) fn is_preloaded() -> bool {
    !Program::get().is_some_and(Program::has_runtime)
}

/// The end of all: no destructor of the program is left.
#[cfg(not(test))]
pub(crate) fn end() {
    finish();
    phase::set(Phase::Off);
    state::set(State::Off);
}

/// Goes on after [`leave`].
fn come_back() {
    if advance(Phase::Left, Phase::Starting) {
        go_on_in_file();
        state::set(counting());
        start_sampling();
        phase::set(Phase::Running);
    }
}

/// Gives a profile that goes on after its end a file to live in, if it had one.
fn go_on_in_file() {
    if live::has_ended() {
        // Other threads count elsewhere while their tables are moved to another file.
        let before = state::get();
        state::set(State::Idle);
        live::begin();
        state::set(before);
    }
}

/// Begins a forked child's own profile at once, so that its time is sampled even before its first
/// call.
pub(crate) fn after_fork_in_child() {
    begin_again_if(process::was_forked);
}

/// Begins the profile of this process if it was forked and has not done so yet.
fn begin_if_forked() {
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
    exclusive::forget();
    control::forget();
    SWITCHING.store(false, Ordering::Release);
    threads::forget();
    units::reset();
    stacks::forget();
    sampler::fork_child();
    live::leave();
    if is_taken() {
        ledger::begin_again();
        live::begin();
        stacks::tell_modules();
        histogram::cover_again();
    }
    // It may have been wiped with the rest.
    state::set(match phase::get() {
        Phase::NotStarted | Phase::Starting => State::Idle,
        Phase::Running => counting(),
        _ => State::Off,
    });
    go_on_sampling();
}

/// Has the sampler do what it did before it was stopped for a moment.
fn go_on_sampling() {
    match phase::get() {
        Phase::Running => start_sampling(),
        Phase::Paused => rest(),
        _ => {}
    }
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

/// Pauses counting and sampling until [`resume`].
pub(crate) fn pause() {
    begin_if_forked();
    switch(|| {
        if advance(Phase::Running, Phase::Paused) {
            state::set(State::Off);
            sampler::stop();
            // What the program does until it goes on, or then, has nothing to do with what was not charged yet.
            sampler::collect();
            stacks::pause();
            rest();
        }
    });
}

/// Goes on after [`pause`] or [`leave`].
pub(crate) fn resume() {
    begin_if_forked();
    come_back();
    switch(|| {
        if advance(Phase::Paused, Phase::Running) {
            sampler::stop();
            state::set(counting());
            start_sampling();
        }
    });
}

/// Takes so many samples per second from now on, and sets all counts to zero: a profile has one rate. False if the
/// sampler has none that could be changed.
pub(crate) fn change_rate(hz: u32) -> bool {
    let mut is_changed = false;
    switch(|| {
        is_changed = sampler::can_change_rate();
        if is_changed {
            sampler::stop();
            sampler::change_rate(hz);
            reset();
            go_on_sampling();
        }
    });
    is_changed
}

/// Sets all counts to zero.
pub(crate) fn reset() {
    begin_if_forked();
    threads::reset();
    units::reset();
    histogram::reset();
    stacks::reset();
    sampler::reset();
    live::note_reset();
}

/// Writes the profile as it is now and goes on. False if nothing was written.
pub(crate) fn snapshot() -> bool {
    write(|| writer::write(Occasion::Profile))
}

/// Writes the profile under a name of its own: the program is about to be replaced by another,
/// which may write its own. Sampling stops, because a timer may outlive the program that handles
/// its signal. False if there is nothing to come back to.
pub(crate) fn before_exec() -> bool {
    let is_ours = is_taken() && process::owns_profile();
    write(|| {
        sampler::stop();
        let has_counts = !(threads::is_empty() && units::is_empty() && histogram::is_empty());
        let is_empty = !has_counts && stacks::is_empty();
        let written = !is_empty && writer::write(Occasion::Exec);
        if is_empty || written {
            live::end();
        }
        ledger::exec();
        written
    });
    is_ours
}

/// Takes back what [`before_exec`] did: the program lives on.
pub(crate) fn after_failed_exec() {
    go_on_in_file();
    output::withdraw();
    ledger::stay();
    go_on_sampling();
}

/// Stops the profile and writes it. Memory stays mapped: another thread may still be inside a
/// hook, and a later profile uses it again.
pub(crate) fn finish() {
    write(|| {
        sampler::stop();
        state::set(State::Off);
        let written = writer::write(Occasion::Profile);
        if written {
            live::end();
        }
        phase::set(Phase::Finished);
        written
    });
}

/// Stops the profile for good, of which nobody is to hear.
pub(crate) fn abandon() {
    write(|| {
        sampler::stop();
        state::set(State::Off);
        live::end();
        ledger::forget();
        phase::set(Phase::Finished);
        false
    });
}

/// Runs what writes the profile, if there is one and it is this process's.
fn write(action: fn() -> bool) -> bool {
    if !is_taken() {
        return false;
    }
    begin_if_forked();
    process::owns_profile() && exclusive::run(action)
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
        State::On => {
            let by = || if libcalls::counts(self_pc) { By::Stub } else { By::Hook };
            threads::count(from_pc, self_pc, by);
        }
        State::Shared => threads::count_shared(from_pc, self_pc),
        State::Idle => threads::count_early(from_pc, self_pc),
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
