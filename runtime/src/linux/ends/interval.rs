//! `setitimer` and `getitimer`, which the stubs of these names hand to us: the timer of the process on its CPU
//! time, `ITIMER_PROF`, may be a sampler's, which the program is not to meet.
//!
//! *Context:* any.

use core::ffi::c_int;

use gmon_system::platform;

use super::fail;
use crate::linux::sampler;

/// `setitimer(2)`.
///
/// # Safety
/// As for it: each pointer is null or valid.
#[unsafe(no_mangle)]
unsafe extern "C" fn __gmon_instead_setitimer(
    which: c_int,
    new: *const libc::itimerval,
    old: *mut libc::itimerval,
) -> c_int {
    // SAFETY: null or valid, as promised by the caller.
    let (set, place) = unsafe { (new.as_ref().is_some_and(runs), old.as_mut()) };
    if which == libc::ITIMER_PROF && !sampler::leave_interval_timer(set) {
        return stopped(place);
    }
    // SAFETY: the caller's pointers, whose references are not used any more.
    let result = unsafe { platform::set_interval_timer(which, new, old) };
    result.map_or_else(fail, |()| 0)
}

/// `getitimer(2)`.
///
/// # Safety
/// As for it: the pointer is null or valid.
#[unsafe(no_mangle)]
unsafe extern "C" fn __gmon_instead_getitimer(which: c_int, now: *mut libc::itimerval) -> c_int {
    // SAFETY: null or valid, as promised by the caller.
    let place = unsafe { now.as_mut() };
    if which == libc::ITIMER_PROF && !sampler::leave_interval_timer(false) {
        return stopped(place);
    }
    // SAFETY: the caller's pointer, whose reference is not used any more.
    let result = unsafe { platform::interval_timer(which, now) };
    result.map_or_else(fail, |()| 0)
}

/// Returns `true` if a timer that is set so goes off.
fn runs(timer: &libc::itimerval) -> bool {
    timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0
}

/// Reports a timer that is not set.
fn stopped(place: Option<&mut libc::itimerval>) -> c_int {
    if let Some(place) = place {
        let never = || libc::timeval { tv_sec: 0, tv_usec: 0 };
        *place = libc::itimerval { it_interval: never(), it_value: never() };
    }
    0
}
