//! 64-bit PowerPC, little-endian, ELFv2.

use super::Restorer;

/// A return address is just past the call.
pub(crate) const CALL_OFFSET: usize = 1;

/// `uc_mcontext.gp_regs[PT_NIP]` of the `ucontext_t`.
pub(crate) const CONTEXT_PC: usize = 488;

/// `uc_sigmask` of the `ucontext_t`.
pub(crate) const CONTEXT_MASK: usize = 40;

/// `PERF_REG_POWERPC_NIP`.
pub(crate) const PERF_PC_REGISTER: u32 = 32;

/// The kernel provides one.
pub(crate) const RESTORER: Restorer = Restorer::Kernels;

/// Words that the kernel's `struct sigaction` has for it.
pub(crate) const RESTORERS: usize = 1;

/// Never sent.
pub(crate) const SPECIAL_SIGNAL: i32 = libc::SIGSTKFLT;
