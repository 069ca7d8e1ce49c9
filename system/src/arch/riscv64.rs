//! 64-bit RISC-V, LP64.

#[cfg(target_os = "linux")]
use super::Restorer;
pub use super::riscv::without_signature;
pub use super::riscv::{FRAME_RETURN, follows_call, is_frame_set_up};

/// A return address is just past the call.
pub const CALL_OFFSET: usize = 1;

/// `uc_mcontext.__gregs[REG_PC]` of the `ucontext_t`.
#[cfg(target_os = "linux")]
pub const CONTEXT_PC: usize = 176;

/// `uc_sigmask` of the `ucontext_t`.
#[cfg(target_os = "linux")]
pub const CONTEXT_MASK: usize = 40;

/// `PERF_REG_RISCV_PC`.
#[cfg(target_os = "linux")]
pub const PERF_PC_REGISTER: u32 = 0;

/// The kernel provides one.
#[cfg(target_os = "linux")]
pub const RESTORER: Restorer = Restorer::Kernels;

/// Words that the kernel's `struct sigaction` has for it.
#[cfg(target_os = "linux")]
pub const RESTORERS: usize = 0;

/// Never sent.
#[cfg(target_os = "linux")]
pub const SPECIAL_SIGNAL: i32 = libc::SIGSTKFLT;
