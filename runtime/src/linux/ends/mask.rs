//! `sigprocmask` and `pthread_sigmask`, which the stubs of these names hand to us, so that samples reach every thread.
//!
//! Programs block all signals in their worker threads, to have them handled by another. What the sampler sends is
//! for the thread itself and comes while it runs, so it is never blocked. A program that blocks SIGPROF in particular
//! is about to wait for it, and gets the signal.
//!
//! *Context:* any.

use core::ffi::c_int;

use gmon_system::platform::{self, Errno, SignalSet, Signals};
use gmon_system::{libc, machine};

use super::fail;
use crate::linux::sampler;
use crate::phase;

/// `sigprocmask(2)`.
///
/// # Safety
/// As for it: each pointer is null or valid.
#[unsafe(no_mangle)]
unsafe extern "C" fn __gmon_instead_sigprocmask(
    how: c_int,
    set: *const libc::sigset_t,
    old: *mut libc::sigset_t,
) -> c_int {
    // SAFETY: each pointer is null or valid, says the caller.
    unsafe { change(how, set, old) }.map_or_else(fail, |()| 0)
}

/// `pthread_sigmask(3)`.
///
/// # Safety
/// As for it: each pointer is null or valid.
#[unsafe(no_mangle)]
unsafe extern "C" fn __gmon_instead_pthread_sigmask(
    how: c_int,
    set: *const libc::sigset_t,
    old: *mut libc::sigset_t,
) -> c_int {
    // SAFETY: the caller's pointers are null or valid.
    unsafe { change(how, set, old) }.map_or_else(|error| error.0, |()| 0)
}

/// # Safety
/// Each pointer is null or valid.
unsafe fn change(
    how: c_int,
    set: *const libc::sigset_t,
    old: *mut libc::sigset_t,
) -> Result<(), Errno> {
    // SAFETY: null or valid, and the C library's set of signals begins with the kernel's. Both pointers may be the same:
    // what is new is read before what is old is written.
    let new = unsafe { set.cast::<SignalSet>().as_ref() }.map(|set| allowed(how, set.bits()));
    // SAFETY: null or valid, and nothing else refers to it any more.
    let old = unsafe { old.cast::<SignalSet>().as_mut() };
    platform::change_signal_mask(how, new, old)
}

/// Signals that may be blocked of those that the program wants blocked.
fn allowed(how: c_int, wanted: Signals) -> Signals {
    /// The C library's own signals.
    const RESERVED: Signals = 1 << (32 - 1) | 1 << (33 - 1);
    if how == libc::SIG_UNBLOCK {
        return wanted;
    }
    let has = |signal| wanted & platform::signal_bit(signal) != 0;
    if phase::is_taken() && has(libc::SIGPROF) && !has(machine::SPECIAL_SIGNAL) {
        sampler::leave_signal(libc::SIGPROF);
    }
    wanted & !RESERVED & !sampler::keeps()
}
