//! 64-bit MIPS, little-endian, n64.

use super::Restorer;

/// A return address is behind the instruction that follows the call, which belongs to it.
pub const CALL_OFFSET: usize = 1;

/// `uc_mcontext.pc` of the `ucontext_t`.
pub const CONTEXT_PC: usize = 616;

/// `uc_sigmask` of the `ucontext_t`.
pub const CONTEXT_MASK: usize = 640;

/// `PERF_REG_MIPS_PC`.
pub const PERF_PC_REGISTER: u32 = 0;

/// The kernel provides one.
pub const RESTORER: Restorer = Restorer::Kernels;

/// Words that the kernel's `struct sigaction` has for it.
pub const RESTORERS: usize = 0;

/// `SIGEMT`.
pub const SPECIAL_SIGNAL: i32 = 7;
