//! 32-bit ARM, in ARM code and in Thumb code.

use gmon_format::thumb;

use super::super::memory::Memory;
use super::{Call, Hooked, Leave, LibraryCall, Native, Processor, Record, Values, row};
use crate::arch;
use crate::linux::platform::Context;

impl Processor for Native {
    /// The registers r0 to r15, the last of which is the program counter.
    const REGISTERS: usize = 16;
    const STACK_POINTER: usize = 13;
    /// As Thumb code has it, which compilers make where nothing else is asked for.
    const FRAME_POINTER: usize = 7;
    const RETURN_ADDRESS: usize = 15;
    const LINK: Option<usize> = Some(14);
    const HOOKED: Option<Leave> = Some(hooked);
    const LIBRARY_CALL: Option<LibraryCall> = Some(library_call);
    /// `push {…, r7, lr}; add r7, sp, #…`
    const RECORDS: &[Record] =
        &[Record { frame_pointer: 0, return_address: 4, end: 8, ends_frame: true }];
    /// Rules hold behind calls only.
    const ARE_RULES_EXACT: bool = false;

    fn registers(context: &Context) -> Values {
        row::in_context(context, IN_CONTEXT)
    }

    /// The registers of code that a signal interrupted, if `pc` is where its handler returns to: one of the calls
    /// `sigreturn` (119) and `rt_sigreturn` (173), for which the `ucontext_t` lies at the stack pointer, or behind
    /// the description of the signal.
    fn interrupted(memory: &mut Memory, pc: usize, sp: usize) -> Option<Values> {
        let code: [u8; 8] = memory.bytes(pc & !1)?;
        let number = match code {
            // mov r7, #NUMBER; svc, in Thumb code and in ARM code
            [number, 0x27, _, 0xdf, ..] => number,
            [number, 0x70, 0xa0, 0xe3, _, _, _, 0xef] => number,
            _ => return None,
        };
        let first = IN_CONTEXT.wrapping_add(match number {
            119 => sp,
            173 => sp.wrapping_add(INFO),
            _ => return None,
        });
        row::in_memory(memory, first)
    }

    fn call_before(memory: &mut Memory, address: usize) -> Option<Call> {
        let address = Self::plain(address);
        let bytes = memory.bytes(address.checked_sub(4)?)?;
        let word = u32::from_le_bytes(bytes);
        let (first, second) = (word & 0xffff, word >> 16);
        let at = |base: usize, distance: i32| {
            Some(Call::Direct(base.wrapping_add_signed(distance as isize)))
        };
        // BL, and BLX to ARM code; BLX by a register.
        if first >> 11 == 0b1_1110 && second & 0xd000 == 0xd000 {
            return at(address, thumb::distance(first, second));
        }
        if first >> 11 == 0b1_1110 && second & 0xd001 == 0xc000 {
            return at(address & !3, thumb::distance(first, second));
        }
        if second & 0xff87 == 0x4780 {
            return Some(Call::Indirect);
        }
        if address % 4 != 0 {
            return None;
        }
        // The same in ARM code, where the program counter is ahead by two instructions.
        let ahead = address.wrapping_add(4);
        let distance = (word << 8) as i32 >> 6;
        match word >> 24 {
            0xfa | 0xfb => at(ahead, distance | (word >> 23 & 2) as i32),
            code if code & 0xf == 0xb && code >> 4 != 0xf => at(ahead, distance),
            _ => (word & 0x0fff_fff0 == 0x012f_ff30).then_some(Call::Indirect),
        }
    }

    /// A return address without the bit that tells Thumb code.
    fn plain(address: usize) -> usize {
        address & !1
    }
}

/// Where the registers lie in the `ucontext_t`, in bytes.
const IN_CONTEXT: usize = 32;

/// Size of the description of a signal, in bytes.
const INFO: usize = 128;

/// `__gnu_mcount_nc` has the function's address in another place than the link register in two of its parts, which are
/// known by the instructions that they end with: when it has come back from `__mcount_internal`, and before its end.
fn hooked(memory: &mut Memory, registers: &Values) -> Option<Hooked> {
    /// `ldr lr, [sp, #4]`, behind nine others.
    const RESTORE: (usize, usize) = (0xe59d_e004, 10);
    /// Where r4 points to, then: r4, lr, r0 to r3, and the function's return address.
    const FUNCTION: usize = 4;
    const CALLER: usize = 24;
    /// `bx ip`, behind two others, and the bytes that the one before it takes off the stack.
    const END: (usize, usize) = (0xe12f_ff1c, 3);
    const KEPT: usize = 20;
    let &[_, _, _, _, r4, _, _, _, _, _, _, _, ip, stack_pointer, link, pc] = registers;
    let mut distance = |(instruction, most): (usize, usize)| {
        (0..most).find(|n| memory.word(pc.wrapping_add(4 * n)) == Some(instruction))
    };
    if let Some(left) = distance(END) {
        let kept = if left == 0 { 0 } else { KEPT };
        let stack_pointer = stack_pointer.wrapping_add(kept);
        return Some(Hooked { function: ip, caller: link, stack_pointer });
    }
    distance(RESTORE)?;
    Some(Hooked {
        function: memory.word(r4.wrapping_add(FUNCTION))?,
        caller: memory.word(r4.wrapping_add(CALLER))?,
        stack_pointer: r4.wrapping_add(CALLER + size_of::<usize>()),
    })
}

/// The frame of `__gmon_library_call`, at an address in it: its size, and how far below its end the return address is,
/// unless the link register has it.
fn library_call(pc: usize) -> Option<(usize, Option<usize>)> {
    const ARGUMENTS: usize = 24;
    const ALL: usize = 96;
    const LINK_AT: usize = ALL - 64;
    let (start, [go, kept, saved, restored, end]) = arch::library_call();
    match pc.wrapping_sub(start) {
        at if at > end => None,
        at if at == 0 || at == go => Some((0, None)),
        at if at == kept => Some((ALL, None)),
        at if (saved..=restored).contains(&at) => Some((ALL, Some(LINK_AT))),
        _ => Some((ARGUMENTS, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::call::assert_call;

    #[test]
    fn calls_are_known_by_their_bits() {
        for (code, expected) in [
            // bl .+8; bl .-4; blx; blx r1
            ([0xf000u16, 0xf802], Some(Some(8))),
            ([0xf7ff, 0xfffc], Some(Some(-4))),
            ([0x0000, 0x4788], Some(None)),
            // bl .+16; blne .-4; blx .+10; blx r1, in ARM code
            ([0x0002, 0xeb00], Some(Some(16))),
            ([0xfffd, 0x1bff], Some(Some(-4))),
            ([0x0000, 0xfb00], Some(Some(10))),
            ([0xff31, 0xe12f], Some(None)),
            // b; bx lr; nops
            ([0xfffb, 0xeaff], None),
            ([0x0000, 0x4770], None),
            ([0xbf00, 0xbf00], None),
        ] {
            #[repr(align(4))]
            struct Aligned([u16; 2]);
            let code = Aligned(code);
            let pc = &raw const code.0 as usize;
            assert_call(pc, expected, format_args!("{:x?}", code.0));
        }
    }
}
