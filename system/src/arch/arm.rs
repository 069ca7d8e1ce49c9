//! 32-bit ARM, AAPCS.

use super::Restorer;

/// A return address is just past the call.
pub const CALL_OFFSET: usize = 1;

/// `uc_mcontext.arm_pc` of the `ucontext_t`.
pub const CONTEXT_PC: usize = 92;

/// `uc_sigmask` of the `ucontext_t`.
pub const CONTEXT_MASK: usize = 104;

/// `PERF_REG_ARM_PC`.
pub const PERF_PC_REGISTER: u32 = 15;

/// The kernel provides one.
pub const RESTORER: Restorer = Restorer::Kernels;

/// Words that the kernel's `struct sigaction` has for it.
pub const RESTORERS: usize = 1;

/// Never sent.
pub const SPECIAL_SIGNAL: i32 = libc::SIGSTKFLT;
