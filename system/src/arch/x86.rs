//! 32-bit x86, System V ABI.

use super::Restorer;

/// A return address is just past the call.
pub const CALL_OFFSET: usize = 1;

/// `push %ecx`.
pub const PUSH_CHAIN: &[u8] = &[0x51];

/// `uc_mcontext.gregs[REG_EIP]` of the `ucontext_t`.
pub const CONTEXT_PC: usize = 76;

/// `uc_sigmask` of the `ucontext_t`.
pub const CONTEXT_MASK: usize = 108;

/// `PERF_REG_X86_IP`.
pub const PERF_PC_REGISTER: u32 = 8;

/// The kernel provides one.
pub const RESTORER: Restorer = Restorer::Kernels;

/// Words that the kernel's `struct sigaction` has for it.
pub const RESTORERS: usize = 1;

/// Never sent.
pub const SPECIAL_SIGNAL: i32 = libc::SIGSTKFLT;
