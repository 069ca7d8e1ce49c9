//! The runtime's functions, if they are in the program.
//!
//! They are weak symbols: without the runtime their addresses are null. Rust cannot say so, the
//! assembler can.

use core::arch::global_asm;
use core::ffi::{CStr, c_char, c_int};

use crate::Request;

/// A function of the runtime. Those that return nothing leave anything in the result.
type Function = Option<extern "C" fn() -> c_int>;

#[cfg(target_pointer_width = "64")]
macro_rules! word {
    () => {
        ".quad"
    };
}
#[cfg(target_pointer_width = "32")]
macro_rules! word {
    () => {
        ".long"
    };
}

global_asm!(
    ".weak gmon_start",
    ".weak gmon_stop",
    ".weak gmon_snapshot",
    ".weak gmon_reset",
    ".weak gmon_tick",
    ".weak gmon_mark",
    ".weak gmon_begin",
    ".weak gmon_end",
    ".pushsection .data.rel.ro.__gmon_requests, \"aw\", %progbits",
    ".balign 8",
    ".globl __gmon_requests",
    ".hidden __gmon_requests",
    ".type __gmon_requests, %object",
    "__gmon_requests:",
    concat!(word!(), " gmon_start, gmon_stop, gmon_snapshot, gmon_reset"),
    ".size __gmon_requests, . - __gmon_requests",
    ".globl __gmon_ticks",
    ".hidden __gmon_ticks",
    ".type __gmon_ticks, %object",
    "__gmon_ticks:",
    concat!(word!(), " gmon_tick"),
    ".size __gmon_ticks, . - __gmon_ticks",
    ".globl __gmon_events",
    ".hidden __gmon_events",
    ".type __gmon_events, %object",
    "__gmon_events:",
    concat!(word!(), " gmon_mark, gmon_begin, gmon_end"),
    ".size __gmon_events, . - __gmon_events",
    ".popsection",
);

/// The functions by which a program tells what it does.
#[repr(C)]
pub(crate) struct Events {
    mark: Option<unsafe extern "C" fn(*const c_char)>,
    begin: Option<unsafe extern "C" fn(*const c_char)>,
    end: Option<extern "C" fn()>,
}

unsafe extern "C" {
    /// In the order of [`Request`].
    safe static __gmon_requests: [Function; 4];
    safe static __gmon_ticks: Option<extern "C" fn(usize)>;
    safe static __gmon_events: Events;
}

/// Does what is asked for, if there is a runtime; gives its answer.
#[inline(always)]
#[allow(clippy::manual_map, reason = "unoptimised, that would be a function with a hook")]
pub(crate) fn call(request: Request) -> Option<c_int> {
    match __gmon_requests[request as usize] {
        Some(function) => Some(function()),
        None => None,
    }
}

/// Counts a tick, if there is a runtime that takes them.
#[inline(always)]
pub(crate) fn tick(pc: usize) {
    if let Some(count) = __gmon_ticks {
        count(pc);
    }
}

/// Tells what happens now, if there is a runtime.
#[inline(always)]
pub(crate) fn mark(name: &CStr) {
    if let Some(mark) = __gmon_events.mark {
        // SAFETY: a string that ends with NUL.
        unsafe { mark(name.as_ptr()) };
    }
}

/// Begins a phase, if there is a runtime.
#[inline(always)]
pub(crate) fn begin(name: &CStr) {
    if let Some(begin) = __gmon_events.begin {
        // SAFETY: a string that ends with NUL.
        unsafe { begin(name.as_ptr()) };
    }
}

/// Ends a phase, if there is a runtime.
#[inline(always)]
pub(crate) fn end() {
    if let Some(end) = __gmon_events.end {
        end();
    }
}
