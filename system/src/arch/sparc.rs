//! 32-bit SPARC, V8+: 32-bit addresses on a V9 processor.

use super::Restorer;

/// The hooks see addresses of calls.
pub const CALL_OFFSET: usize = 0;

/// The third argument of a handler points to `pt_regs`, which begin with the `psr` and the `pc`.
pub const CONTEXT_PC: usize = 4;

/// The mask lies behind the `pt_regs`.
pub const CONTEXT_MASK: usize = 80;

/// There is none: the kernel does not sample registers on SPARC.
pub const PERF_PC_REGISTER: u32 = 0;

unsafe extern "C" {
    safe fn __external_caller();
}

/// A handler returns eight bytes behind the place, as from a call. Behind `__external_caller` are two
/// such returns, for the frames of handlers without and with `SA_SIGINFO`.
pub const RESTORER: Restorer = Restorer::InCall(|flags| {
    let has_info = flags & libc::SA_SIGINFO as usize != 0;
    __external_caller as *const () as usize + if has_info { 8 } else { 0 }
});

/// Words that the kernel's `struct sigaction` has for it.
pub const RESTORERS: usize = 1;

/// `SIGEMT`.
pub const SPECIAL_SIGNAL: i32 = 7;
