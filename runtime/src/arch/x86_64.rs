//! x86-64, System V ABI.

use super::Restorer;

/// A return address is just past the call.
pub(crate) const CALL_OFFSET: usize = 1;

/// `push %r10`.
pub(super) const PUSH_CHAIN: &[u8] = &[0x41, 0x52];

/// `uc_mcontext.gregs[REG_RIP]` of the `ucontext_t`.
pub(crate) const CONTEXT_PC: usize = 168;

/// `uc_sigmask` of the `ucontext_t`.
pub(crate) const CONTEXT_MASK: usize = 296;

/// `PERF_REG_X86_IP`.
pub(crate) const PERF_PC_REGISTER: u32 = 8;

unsafe extern "C" {
    fn __gmon_restorer();
}

/// The kernel provides none.
pub(crate) const RESTORER: Restorer = Restorer::InAction(__gmon_restorer);

/// Words that the kernel's `struct sigaction` has for it.
pub(crate) const RESTORERS: usize = 1;

/// Never sent.
pub(crate) const SPECIAL_SIGNAL: i32 = libc::SIGSTKFLT;
