//! 64-bit SPARC, V9.

use super::Restorer;

/// The hooks see addresses of calls.
pub(crate) const CALL_OFFSET: usize = 0;

/// The third argument of a handler is the second once more: a `siginfo_t`, behind which lie `pt_regs`
/// with the `tpc`.
pub(crate) const CONTEXT_PC: usize = 264;

/// The mask lies behind the `pt_regs`, a pointer and a `stack_t`.
pub(crate) const CONTEXT_MASK: usize = 320;

/// There is none: the kernel does not sample registers on SPARC.
pub(crate) const PERF_PC_REGISTER: u32 = 0;

unsafe extern "C" {
    safe fn __external_caller();
}

/// A handler returns eight bytes behind it, as from a call.
pub(crate) const RESTORER: Restorer = Restorer::InCall(|_| __external_caller as *const () as usize);

/// Words that the kernel's `struct sigaction` has for it.
pub(crate) const RESTORERS: usize = 1;

/// `SIGEMT`.
pub(crate) const SPECIAL_SIGNAL: i32 = 7;
