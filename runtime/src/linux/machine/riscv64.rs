//! 64-bit RISC-V under Linux.

use super::Restorer;

/// `uc_mcontext.__gregs[REG_PC]` of the `ucontext_t`.
pub(crate) const CONTEXT_PC: usize = 176;

/// `PERF_REG_RISCV_PC`.
pub(crate) const PERF_PC_REGISTER: u32 = 0;

/// The kernel provides one.
pub(crate) const RESTORER: Restorer = Restorer::Kernels;

/// Words that the kernel's `struct sigaction` has for it.
pub(crate) const RESTORERS: usize = 0;

/// Never sent.
pub(crate) const SPECIAL_SIGNAL: i32 = libc::SIGSTKFLT;
