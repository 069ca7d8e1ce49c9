//! Signals that end the process.
//!
//! Where the action of one is the default when the profile starts, it is ours: the profile is
//! written, the default action restored, and the signal sent again (or, for a fault, the
//! instruction run again), so that status and core are those of a program without a profile.
//! A handler that the program installs later takes our place, and gives it back when it goes:
//! [`sigaction`](super::sigaction).
//!
//! *Context:* `begin` startup or hook; the handler signal; the rest any.

use core::ops::RangeInclusive;

use gmon_system::platform::{self, Action, Context, Info};
use gmon_system::{libc, machine};
use once_cell::race::OnceRef;

use crate::linux::sampler;
use crate::phase;

/// The signals whose default action ends the process, but for SIGKILL, which nobody can handle, and
/// SIGPROF, whose handler tells the samplers' signals from others.
const FATAL: [i32; 21] = [
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGILL,
    libc::SIGTRAP,
    libc::SIGABRT,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGSEGV,
    libc::SIGPIPE,
    libc::SIGALRM,
    libc::SIGTERM,
    libc::SIGUSR1,
    libc::SIGUSR2,
    machine::SPECIAL_SIGNAL,
    libc::SIGXCPU,
    libc::SIGXFSZ,
    libc::SIGVTALRM,
    libc::SIGIO,
    libc::SIGPWR,
    libc::SIGSYS,
];

/// And all of those that have no name, from the first that the C library leaves to programs.
const REAL_TIME: RangeInclusive<i32> = 34..=platform::LAST_SIGNAL;

/// Function that writes the profile.
static FINISH: OnceRef<'static, fn()> = OnceRef::new();

/// Takes over the fatal signals that the program has left alone, and has `finish` called before they end it.
pub(crate) fn begin(finish: &'static fn()) {
    // There is only one.
    _ = FINISH.set(finish);
    for signal in FATAL.into_iter().chain(REAL_TIME) {
        // The program's own action stays, whatever it is.
        _ = platform::handle(signal, on_fatal);
    }
    sampler::handle_sigprof(on_fatal);
}

/// Returns `true` if an action is ours, which the program left at its default.
pub(super) fn is_ours(action: &Action) -> bool {
    action.handler == on_fatal as *const () as usize || sampler::is_ours(action)
}

/// Returns `true` if ours takes the place of a signal's default action when the program wants that.
pub(super) fn is_wanted(signal: i32) -> bool {
    let is_samplers = sampler::is_handled(signal);
    let is_fatal = FATAL.contains(&signal) || REAL_TIME.contains(&signal) || is_samplers;
    is_fatal && phase::is_taken()
}

/// The action that takes the place of a signal's default.
pub(super) fn ours(signal: i32) -> Action {
    if sampler::is_handled(signal) { sampler::ours() } else { Action::ours(on_fatal) }
}

pub(super) extern "C" fn on_fatal(signal: i32, info: &Info, context: &Context) {
    _ = FINISH.get().map(|finish| finish());
    platform::set_default(signal);
    let is_fault = matches!(signal, libc::SIGILL | libc::SIGBUS | libc::SIGFPE | libc::SIGSEGV);
    // A fault that the kernel found (its codes are positive) happens again when the handler
    // returns, with everything as it was.
    if !(is_fault && info.si_code > 0) {
        platform::raise(signal);
        // A call that waits with other signals blocked, as sigsuspend(2), blocks those of before again when it returns.
        context.unblock_later(signal);
    }
    // A sampler's tick that still waits for this thread takes the place of the signal just sent, and Linux (since
    // 6.13) drops it, as its timer is gone. What is sent to the process waits elsewhere.
    if sampler::is_handled(signal) {
        platform::raise_for_process(signal);
    }
}
