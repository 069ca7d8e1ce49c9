//! 64-bit PowerPC, little-endian, ELFv2.

use super::Restorer;

/// A return address is just past the call.
pub const CALL_OFFSET: usize = 1;

/// `uc_mcontext.gp_regs[PT_NIP]` of the `ucontext_t`.
pub const CONTEXT_PC: usize = 488;

/// `uc_sigmask` of the `ucontext_t`.
pub const CONTEXT_MASK: usize = 40;

/// `PERF_REG_POWERPC_NIP`.
pub const PERF_PC_REGISTER: u32 = 32;

/// The kernel provides one.
pub const RESTORER: Restorer = Restorer::Kernels;

/// Words that the kernel's `struct sigaction` has for it.
pub const RESTORERS: usize = 1;

/// Never sent.
pub const SPECIAL_SIGNAL: i32 = libc::SIGSTKFLT;
