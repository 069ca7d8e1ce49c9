//! 64-bit SPARC, V9.

use super::Restorer;

/// The hooks see addresses of calls.
pub const CALL_OFFSET: usize = 0;

/// The third argument of a handler is the second once more: a `siginfo_t`, behind which lie `pt_regs`
/// with the `tpc`.
pub const CONTEXT_PC: usize = 264;

/// The mask lies behind the `pt_regs`, a pointer and a `stack_t`.
pub const CONTEXT_MASK: usize = 320;

/// There is none: the kernel does not sample registers on SPARC.
pub const PERF_PC_REGISTER: u32 = 0;

unsafe extern "C" {
    safe fn __external_caller();
}

/// A handler returns eight bytes behind it, as from a call.
pub const RESTORER: Restorer = Restorer::InCall(|_| __external_caller as *const () as usize);

/// Words that the kernel's `struct sigaction` has for it.
pub const RESTORERS: usize = 1;

/// `SIGEMT`.
pub const SPECIAL_SIGNAL: i32 = 7;
