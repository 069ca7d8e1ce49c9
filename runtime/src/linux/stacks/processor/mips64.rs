//! 64-bit MIPS, little-endian, n64.

use super::super::memory::Memory;
use super::{Call, Native, Processor, Values};
use crate::linux::platform::Context;

impl Processor for Native {
    /// The general registers by DWARF's numbers, then the program counter, which has another number there.
    const REGISTERS: usize = 33;
    const STACK_POINTER: usize = 29;
    /// It is what the stack pointer was, and tells nothing of what a function has saved.
    const FRAME_POINTER: usize = 30;
    const RETURN_ADDRESS: usize = 32;
    const LINK: Option<usize> = Some(31);

    fn registers(context: &Context) -> Values {
        core::array::from_fn(|number| context.word(place(number) as isize))
    }

    /// The registers of code that a signal interrupted, if `pc` is where its handler returns to: the call
    /// `rt_sigreturn` (5211), for which the frame of the signal lies at the stack pointer.
    fn interrupted(memory: &mut Memory, pc: usize, sp: usize) -> Option<Values> {
        // li v0, 5211; syscall
        const RETURN: [u8; 8] = [0x5b, 0x14, 0x02, 0x24, 0x0c, 0, 0, 0];
        if memory.bytes(pc)? != RETURN {
            return None;
        }
        memory.words(core::array::from_fn(|number| sp.wrapping_add(CONTEXT + place(number))))
    }

    /// The call that returns to an address, if there is one before it: it is followed by an instruction that is executed
    /// before the call takes effect.
    fn call_before(memory: &mut Memory, address: usize) -> Option<Call> {
        let pc = address.checked_sub(8).filter(|pc| pc % 4 == 0)?;
        let next = pc.wrapping_add(4);
        let instruction = memory.bytes(pc).map(u32::from_le_bytes)?;
        // JAL, within a region of 256 MB.
        if instruction >> 26 == 3 {
            let offset = (instruction << 6 >> 4) as usize;
            return Some(Call::Direct(next & !0x0fff_ffff | offset));
        }
        // BAL: BGEZAL of the register that is always zero.
        if instruction >> 16 == 0x0411 {
            let distance = 4 * isize::from(instruction as u16 as i16);
            return Some(Call::Direct(next.wrapping_add_signed(distance)));
        }
        // JALR and JALR.HB that leave the return address where calls do.
        (instruction & 0xfc1f_fbff == 0x0000_f809).then_some(Call::Indirect)
    }

    fn index(number: usize) -> usize {
        match number {
            0..Self::RETURN_ADDRESS => number,
            INTERRUPTED => Self::RETURN_ADDRESS,
            _ => usize::MAX,
        }
    }
}

/// The column of the return address in rules of code that was interrupted, and of hooks.
const INTERRUPTED: usize = 66;

/// Where the registers lie in the `ucontext_t`, in bytes, and where the program counter does.
const IN_CONTEXT: usize = 40;
const PC_IN_CONTEXT: usize = 616;

/// Where the `ucontext_t` lies in the frame of a signal, in bytes: behind what once were arguments and code, and the
/// description of the signal.
const CONTEXT: usize = 24 + 128;

/// Where a register is in the `ucontext_t`.
fn place(number: usize) -> usize {
    match number {
        Native::RETURN_ADDRESS => PC_IN_CONTEXT,
        _ => IN_CONTEXT + number * size_of::<usize>(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_known_by_their_bits() {
        let mut memory = Memory::new();
        for (code, expected) in [
            // bal .+16; bal .-16; jalr $25; jalr.hb $25
            (0x0411_0003u32, Some(Some(16))),
            (0x0411_fffb, Some(Some(-16))),
            (0x0320_f809, Some(None)),
            (0x0320_fc09, Some(None)),
            // bgez $0; bgezal $2; jalr $1, $25; jr $25; nop
            (0x0401_0003, None),
            (0x0451_0003, None),
            (0x0320_0809, None),
            (0x0320_0008, None),
            (0, None),
        ] {
            let code = [code, 0];
            let range = code.as_ptr_range();
            let (start, end) = (range.start as usize, range.end as usize);
            let expected = expected.map(|distance: Option<isize>| {
                distance.map_or(Call::Indirect, |far| Call::Direct(start.wrapping_add_signed(far)))
            });
            assert_eq!(Native::call_before(&mut memory, end), expected, "{:x?}", code[0]);
        }
        let jal = [0x0c00_0004u32, 0];
        let end = jal.as_ptr_range().end as usize;
        let target = (end - 4) & !0x0fff_ffff | 0x10;
        assert_eq!(Native::call_before(&mut memory, end), Some(Call::Direct(target)));
    }

    #[test]
    fn registers_have_places() {
        let places = [0, 29, 31, 32].map(place);
        assert_eq!(places, [40, 272, 288, 616]);
        assert_eq!([31, 32, 64, 66].map(Native::index), [31, usize::MAX, usize::MAX, 32]);
    }
}
