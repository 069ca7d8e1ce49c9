//! AArch64, AAPCS64.

use super::Restorer;

/// A return address is just past the call.
pub const CALL_OFFSET: usize = 1;

/// All compilers set up a frame record before the hook.
///
/// # Safety
/// None needed here.
pub unsafe fn is_frame_set_up(_self_pc: usize, _frame: usize, _stack: usize) -> bool {
    true
}

/// Distance from the frame pointer's target to the return address.
pub const FRAME_RETURN: isize = 8;

/// A return address without the signature of pointer authentication, which is in the bits that
/// addresses of code do not have.
pub fn without_signature(pc: usize) -> usize {
    pc & 0x0000_ffff_ffff_ffff
}

/// Returns `true` if the instruction before `pc` is a call.
///
/// # Safety
/// The four bytes before `pc` must be readable.
pub unsafe fn follows_call(pc: usize) -> bool {
    if pc % 4 != 0 {
        return false;
    }
    // SAFETY: an aligned word of code before `pc`, as the caller promises.
    let before = unsafe { *((pc - 4) as *const u32) };
    // BL; BLR and its authenticating forms.
    before & 0xfc00_0000 == 0x9400_0000 || before & 0xfeff_f000 == 0xd63f_0000
}

/// `uc_mcontext.pc` of the `ucontext_t`.
pub const CONTEXT_PC: usize = 440;

/// `uc_sigmask` of the `ucontext_t`.
pub const CONTEXT_MASK: usize = 40;

/// `PERF_REG_ARM64_PC`.
pub const PERF_PC_REGISTER: u32 = 32;

/// The kernel provides one.
pub const RESTORER: Restorer = Restorer::Kernels;

/// Words that the kernel's `struct sigaction` has for it.
pub const RESTORERS: usize = 1;

/// Never sent.
pub const SPECIAL_SIGNAL: i32 = libc::SIGSTKFLT;
