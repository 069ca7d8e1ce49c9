//! The profile written, and the ends of profile and program.
//!
//! *Context:* `attach` startup; the rest any.

use core::sync::atomic::{AtomicBool, Ordering};

use gmon_system::c_library;
use gmon_system::program::Program;

use super::parts::{self, End, Kept};
use super::run::{after_fork_in_child, begin_if_forked, go_on};
use crate::linux::output::Occasion;
use crate::linux::{exclusive, process, sampler, threads, writer};
use crate::phase::{self, Phase, advance, is_taken};
use crate::state::{self, State};
use crate::{histogram, units};

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
        sampler::let_sigprof_in_child();
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

/// Writes the profile as it is now and goes on. False if nothing was written.
pub(crate) fn snapshot() -> bool {
    alone(|| write(Occasion::Profile))
}

/// Writes the profile under a name of its own: the program is about to be replaced by another,
/// which may write its own. Sampling stops, because a timer may outlive the program that handles
/// its signal. False if there is nothing to come back to.
pub(crate) fn before_exec() -> bool {
    alone(|| {
        parts::pause();
        let has_counts = !(threads::is_empty() && units::is_empty() && histogram::is_empty());
        let is_empty = !has_counts && gmon_stacks::is_empty();
        let written = !is_empty && write(Occasion::Exec);
        parts::before_exec(if is_empty || written { Kept::Safely } else { Kept::InMemory });
        written
    });
    // A child that nobody has told of has begun its own by now.
    is_taken() && process::owns_profile()
}

/// Takes back what [`before_exec`] did: the program lives on.
pub(crate) fn after_failed_exec() {
    parts::stay();
    go_on();
}

/// Stops the profile and writes it. Memory stays mapped: another thread may still be inside a
/// hook, and a later profile uses it again.
pub(crate) fn finish() {
    alone(|| {
        stop();
        let written = write(Occasion::Profile);
        parts::end(if written { End::Written } else { End::Unwritten });
        phase::set(Phase::Finished);
        written
    });
}

/// Ends the profile without writing it.
pub(crate) fn abandon() {
    alone(|| {
        stop();
        parts::end(End::Abandoned);
        phase::set(Phase::Finished);
        false
    });
}

fn stop() {
    parts::pause();
    state::set(State::Off);
}

/// Writes all that was counted.
fn write(occasion: Occasion) -> bool {
    parts::charge();
    writer::write(occasion)
}

/// Runs what ends or writes the profile, if there is one and it is this process's.
fn alone(action: fn() -> bool) -> bool {
    if !is_taken() {
        return false;
    }
    begin_if_forked();
    process::owns_profile() && exclusive::run(action)
}
