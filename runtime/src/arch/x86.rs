//! 32-bit x86, System V ABI.

use super::Restorer;

/// A return address is just past the call.
pub(crate) const CALL_OFFSET: usize = 1;

/// `push %ecx`.
pub(super) const PUSH_CHAIN: &[u8] = &[0x51];

/// `uc_mcontext.gregs[REG_EIP]` of the `ucontext_t`.
pub(crate) const CONTEXT_PC: usize = 76;

/// `uc_sigmask` of the `ucontext_t`.
pub(crate) const CONTEXT_MASK: usize = 108;

/// `PERF_REG_X86_IP`.
pub(crate) const PERF_PC_REGISTER: u32 = 8;

/// The kernel provides one.
pub(crate) const RESTORER: Restorer = Restorer::Kernels;

/// Words that the kernel's `struct sigaction` has for it.
pub(crate) const RESTORERS: usize = 1;

/// Never sent.
pub(crate) const SPECIAL_SIGNAL: i32 = libc::SIGSTKFLT;
