//! `sigaction`, `signal` and its older relatives, which the stubs of these names hand to us, so that the program
//! never meets the runtime's handlers.
//!
//! Where a fatal signal's action is ours, `sigaction` reports the default to the program: runtimes of
//! languages install their own only then. And where the program asks for the default, as handlers
//! do that clean up and send themselves the signal again, it gets ours, which ends in the default.
//!
//! *Context:* any.

use core::ffi::c_int;

use gmon_system::libc;
use gmon_system::platform::{self, Action, Errno, SharedSignalSet, SignalSet};

use super::{fail, fatal, wrapped};
use crate::linux::sampler;

/// `sigaction(2)`.
///
/// # Safety
/// As for it: each pointer is null or valid.
#[unsafe(no_mangle)]
unsafe extern "C" fn __gmon_instead_sigaction(
    signal: c_int,
    new: *const libc::sigaction,
    old: *mut libc::sigaction,
) -> c_int {
    // SAFETY: null or valid, as promised by the caller. They may be the same: what is new is read
    // before what is old is written.
    let (new, old) = unsafe { (new.as_ref().map(from_c), old.as_mut()) };
    match exchange(signal, new) {
        Ok(action) => {
            if let Some(old) = old {
                to_c(&action, old);
            }
            0
        }
        Err(error) => fail(error),
    }
}

/// `signal(2)`, with the semantics of BSD that all C libraries of today give it.
#[unsafe(no_mangle)]
extern "C" fn __gmon_instead_signal(signal: c_int, handler: usize) -> usize {
    let flags = if INTERRUPTING.has(signal) { 0 } else { libc::SA_RESTART };
    set_handler(signal, Action::new(handler, flags, platform::signal_bit(signal)))
}

/// Signals whose handlers end system calls where `signal` sets them, as `siginterrupt` has said.
static INTERRUPTING: SharedSignalSet = SharedSignalSet::new();

/// `siginterrupt(3)`.
#[unsafe(no_mangle)]
extern "C" fn __gmon_instead_siginterrupt(signal: c_int, interrupts: c_int) -> c_int {
    const RESTART: usize = libc::SA_RESTART as usize;
    let changed = exchange(signal, None).and_then(|mut action| {
        if interrupts != 0 {
            INTERRUPTING.add(signal);
            action.flags &= !RESTART;
        } else {
            INTERRUPTING.remove(signal);
            action.flags |= RESTART;
        }
        exchange(signal, Some(action))
    });
    changed.map_or_else(fail, |_| 0)
}

/// `sysv_signal(3)`, which is what glibc makes of `signal` in a program in strict C (`-std=c11`).
#[unsafe(no_mangle)]
extern "C" fn __gmon_instead_sysv_signal(signal: c_int, handler: usize) -> usize {
    set_handler(signal, Action::new(handler, libc::SA_RESETHAND | libc::SA_NODEFER, 0))
}

/// `sigset(3)`.
#[unsafe(no_mangle)]
extern "C" fn __gmon_instead_sigset(signal: c_int, disposition: usize) -> usize {
    /// `SIG_HOLD`: the signal is blocked, and its action stays.
    const HOLD: usize = 2;
    let new = (disposition != HOLD).then(|| Action::new(disposition, 0, 0));
    match exchange(signal, new) {
        Ok(old) => match platform::set_blocked(signal, disposition == HOLD) {
            true => HOLD,
            false => old.handler,
        },
        Err(error) => {
            fail(error);
            libc::SIG_ERR
        }
    }
}

/// `sigignore(3)`.
#[unsafe(no_mangle)]
extern "C" fn __gmon_instead_sigignore(signal: c_int) -> c_int {
    let ignore = Action::new(libc::SIG_IGN, 0, 0);
    exchange(signal, Some(ignore)).map_or_else(fail, |_| 0)
}

/// Sets a signal's action and returns the old handler, as `signal` does.
fn set_handler(signal: c_int, new: Action) -> usize {
    match exchange(signal, Some(new)) {
        Ok(action) => action.handler,
        Err(error) => {
            fail(error);
            libc::SIG_ERR
        }
    }
}

/// Sets a signal's action, if there is a new one, and returns the old: as the program sees both.
fn exchange(signal: c_int, new: Option<Action>) -> Result<Action, Errno> {
    // Signals 32 and 33 are the C library's own.
    if matches!(signal, 32 | 33) {
        return Err(Errno(libc::EINVAL));
    }
    let is_default = |action: &Action| action.handler == libc::SIG_DFL;
    if new.is_some_and(|new| !is_default(&new)) {
        sampler::leave_signal(signal);
    }
    let old = platform::action(signal)?;
    let before = wrapped::asked_for(signal, &old);
    let mut known = wrapped::default_of(signal);
    if sampler::is_ours(&old) {
        known.handler = sampler::known_handler(signal);
    }
    if let Some(new) = new {
        if signal == libc::SIGPROF {
            sampler::note_set();
        }
        if is_default(&new) {
            wrapped::note_default(signal, &new);
        }
        // Ours is as good as the default, also after the profile's end: a sampler's signal may still come.
        if !is_default(&new) || !sampler::is_ours(&old) {
            let is_ours = is_default(&new) && fatal::is_wanted(signal);
            let new = if is_ours { fatal::ours(signal) } else { wrapped::wrap(signal, new) };
            // SAFETY: a handler of ours, or one for which the program that passes it answers.
            unsafe { platform::set_action(signal, &new) }?;
        }
    }
    Ok(if fatal::is_ours(&old) { known } else { before.unwrap_or(old) })
}

fn from_c(action: &libc::sigaction) -> Action {
    // SAFETY: the C library's set of signals is larger, and begins with the kernel's.
    let mask = unsafe { *(&raw const action.sa_mask).cast::<SignalSet>() };
    Action::new(action.sa_sigaction, action.sa_flags, mask.bits())
}

fn to_c(action: &Action, place: &mut libc::sigaction) {
    place.sa_sigaction = action.handler;
    place.sa_flags = action.flags as c_int;
    place.sa_restorer = None;
    // SAFETY: both sets lie in `place`, the kernel's at the start of the C library's, whose rest is cleared, as
    // the C library leaves it.
    unsafe {
        (&raw mut place.sa_mask).write_bytes(0, 1);
        (&raw mut place.sa_mask).cast::<SignalSet>().write(action.mask);
    }
}
