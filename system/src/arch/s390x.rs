//! IBM Z in 64 bits.

use super::Restorer;

/// A return address is just past the call.
pub const CALL_OFFSET: usize = 1;

/// `uc_mcontext.psw.addr` of the `ucontext_t`.
pub const CONTEXT_PC: usize = 48;

/// `uc_sigmask` of the `ucontext_t`.
pub const CONTEXT_MASK: usize = 384;

/// `PERF_REG_S390_PC`.
pub const PERF_PC_REGISTER: u32 = 33;

/// The kernel provides one.
pub const RESTORER: Restorer = Restorer::Kernels;

/// Words that the kernel's `struct sigaction` has for it.
pub const RESTORERS: usize = 1;

/// Never sent.
pub const SPECIAL_SIGNAL: i32 = libc::SIGSTKFLT;
