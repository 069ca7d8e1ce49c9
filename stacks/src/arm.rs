//! Stubs of 32-bit ARM whose frames no rules tell, since its rules have no way to say it.
//!
//! *Context:* signal.

use gmon_system::arch;
use gmon_unwind::{Hooked, Memory, Native, OwnFrame, Registers};

/// `__gnu_mcount_nc` has the function's address in another place than the link register in two of its parts, which are
/// known by the instructions that they end with: when it has come back from `__mcount_internal`, and before its end.
pub(super) fn hooked(
    memory: &mut impl Memory,
    registers: &Registers<Native>,
) -> Option<Hooked<u32>> {
    /// `ldr lr, [sp, #4]`, behind nine others.
    const RESTORE: (u32, u32) = (0xe59d_e004, 10);
    /// Offset of the return address from r4's target, then: r4, lr, r0 to r3, and the function's
    /// return address.
    const FUNCTION: u32 = 4;
    const CALLER: u32 = 24;
    /// `bx ip`, behind two others, and the bytes that the one before it takes off the stack.
    const END: (u32, u32) = (0xe12f_ff1c, 3);
    const KEPT: u32 = 20;
    let &[_, _, _, _, r4, _, _, _, _, _, _, _, ip, stack_pointer, link, pc] = registers;
    let mut distance = |(instruction, most): (u32, u32)| {
        (0..most).find(|n| memory.word::<Native>(pc.wrapping_add(4 * n)) == Some(instruction))
    };
    if let Some(left) = distance(END) {
        let kept = if left == 0 { 0 } else { KEPT };
        let stack_pointer = stack_pointer.wrapping_add(kept);
        return Some(Hooked { function: ip, caller: link, stack_pointer });
    }
    distance(RESTORE)?;
    Some(Hooked {
        function: memory.word::<Native>(r4.wrapping_add(FUNCTION))?,
        caller: memory.word::<Native>(r4.wrapping_add(CALLER))?,
        stack_pointer: r4.wrapping_add(CALLER + 4),
    })
}

/// The frame of `__gmon_library_call`, at an address in it.
pub(super) fn library_call(pc: usize) -> Option<OwnFrame> {
    const ARGUMENTS: usize = 24;
    const ALL: usize = 96;
    const LINK_AT: usize = ALL - 64;
    let (start, [go, kept, saved, restored, end]) = arch::library_call();
    let (size, return_address) = match pc.wrapping_sub(start) {
        at if at > end => return None,
        at if at == 0 || at == go => (0, None),
        at if at == kept => (ALL, None),
        at if (saved..=restored).contains(&at) => (ALL, Some(LINK_AT)),
        _ => (ARGUMENTS, None),
    };
    Some(OwnFrame { size, return_address })
}
