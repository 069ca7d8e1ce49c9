//! 64-bit MIPS under Linux.

use super::Restorer;

/// `uc_mcontext.pc` of the `ucontext_t`.
pub(crate) const CONTEXT_PC: usize = 616;

/// `PERF_REG_MIPS_PC`.
pub(crate) const PERF_PC_REGISTER: u32 = 0;

/// The kernel provides one.
pub(crate) const RESTORER: Restorer = Restorer::Kernels;

/// Words that the kernel's `struct sigaction` has for it.
pub(crate) const RESTORERS: usize = 0;

/// `SIGEMT`.
pub(crate) const SPECIAL_SIGNAL: i32 = 7;
