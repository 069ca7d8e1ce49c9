//! 32-bit x86 under Linux.

use super::Restorer;

/// `uc_mcontext.gregs[REG_EIP]` of the `ucontext_t`.
pub(crate) const CONTEXT_PC: usize = 76;

/// `PERF_REG_X86_IP`.
pub(crate) const PERF_PC_REGISTER: u32 = 8;

/// The kernel provides one.
pub(crate) const RESTORER: Restorer = Restorer::Kernels;

/// Words that the kernel's `struct sigaction` has for it.
pub(crate) const RESTORERS: usize = 1;

/// Never sent.
pub(crate) const SPECIAL_SIGNAL: i32 = libc::SIGSTKFLT;
