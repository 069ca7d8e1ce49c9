//! x86-64, System V ABI.

use super::Restorer;

/// A return address is just past the call.
pub const CALL_OFFSET: usize = 1;

/// `push %r10`.
pub const PUSH_CHAIN: &[u8] = &[0x41, 0x52];

/// `uc_mcontext.gregs[REG_RIP]` of the `ucontext_t`.
pub const CONTEXT_PC: usize = 168;

/// `uc_sigmask` of the `ucontext_t`.
pub const CONTEXT_MASK: usize = 296;

/// `PERF_REG_X86_IP`.
pub const PERF_PC_REGISTER: u32 = 8;

unsafe extern "C" {
    fn __gmon_restorer();
}

/// The kernel provides none.
pub const RESTORER: Restorer = Restorer::InAction(__gmon_restorer);

/// Words that the kernel's `struct sigaction` has for it.
pub const RESTORERS: usize = 1;

/// Never sent.
pub const SPECIAL_SIGNAL: i32 = libc::SIGSTKFLT;
