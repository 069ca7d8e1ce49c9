//! 64-bit MIPS, little-endian, n64.

use super::Restorer;

/// A return address is behind the instruction that follows the call, which belongs to it.
pub(crate) const CALL_OFFSET: usize = 1;

/// `uc_mcontext.pc` of the `ucontext_t`.
pub(crate) const CONTEXT_PC: usize = 616;

/// `uc_sigmask` of the `ucontext_t`.
pub(crate) const CONTEXT_MASK: usize = 640;

/// `PERF_REG_MIPS_PC`.
pub(crate) const PERF_PC_REGISTER: u32 = 0;

/// The kernel provides one.
pub(crate) const RESTORER: Restorer = Restorer::Kernels;

/// Words that the kernel's `struct sigaction` has for it.
pub(crate) const RESTORERS: usize = 0;

/// `SIGEMT`.
pub(crate) const SPECIAL_SIGNAL: i32 = 7;
