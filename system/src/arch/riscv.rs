//! Facts about RISC-V for Rust, of 32 bits and of 64.

/// Returns `true` if the prologue of the function around `self_pc` has made `s0` the address above its
/// frame: by `addi s0, sp, N`, some instructions before the hook is called. gcc has other uses for
/// `s0`. The stack pointer may have gone down since, for a large frame or an aligned one.
///
/// # Safety
/// `self_pc` must be a return address.
pub unsafe fn is_frame_set_up(self_pc: usize, frame: usize, stack: usize) -> bool {
    /// In between come the call and copies of the arguments.
    const FARTHEST: usize = 64;
    for distance in (4..FARTHEST).step_by(2) {
        // SAFETY: text before a return address; start files lie before any profiled function.
        let [low, high] = unsafe { *((self_pc - distance) as *const [u16; 2]) };
        let (low, high) = (usize::from(low), usize::from(high));
        let size = match low {
            // C.JR ra: the end of the function before.
            0x8082 => return false,
            // C.ADDI4SPN s0
            1.. if low & 0xe01f == 0 => {
                ((low >> 7) & 0x30) | ((low >> 1) & 0x3c0) | ((low >> 4) & 4) | ((low >> 2) & 8)
            }
            // ADDI s0, sp
            0x0413 if high & 0xf == 1 => high >> 4,
            _ => continue,
        };
        return frame >= stack.wrapping_add(size);
    }
    false
}

/// Distance from the frame pointer's target to the return address.
pub const FRAME_RETURN: isize = -(size_of::<usize>() as isize);

/// Return addresses are not signed.
pub fn without_signature(pc: usize) -> usize {
    pc
}

/// Returns `true` if the instruction before `pc` is a call.
///
/// # Safety
/// The four bytes before `pc` must be readable.
pub unsafe fn follows_call(pc: usize) -> bool {
    if pc % 2 != 0 {
        return false;
    }
    // SAFETY: code before `pc`, as the caller promises; instructions lie at even addresses.
    let [low, high] = unsafe { *((pc - 4) as *const [u16; 2]) };
    let whole = (u32::from(high) << 16) | u32::from(low);
    // JAL and JALR that link to ra; C.JALR, which with x0 is C.EBREAK; C.JAL, which 64 bits lack.
    let is_jal = cfg!(target_pointer_width = "32") && high & 0xe003 == 0x2001;
    let is_short = is_jal || high & 0xf07f == 0x9002 && high != 0x9002;
    whole & 0xfff == 0x0ef || whole & 0x7fff == 0x00e7 || is_short
}
