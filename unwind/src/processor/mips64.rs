//! 64-bit MIPS, little-endian, n64.

use super::{Call, Processor, Registers};
use crate::memory::Memory;

/// 64-bit MIPS, little-endian, n64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mips64;

impl Processor for Mips64 {
    type Word = u64;
    type Each<T: Copy> = [T; 33];
    /// The general registers by DWARF's numbers, then the program counter, which has another number there.
    const REGISTERS: usize = 33;
    const STACK_POINTER: usize = 29;
    /// Holds the old stack pointer, and tells nothing of what a function has saved.
    const FRAME_POINTER: usize = 30;
    const RETURN_ADDRESS: usize = 32;
    const LINK: Option<usize> = Some(31);

    fn in_context(register: usize) -> Option<isize> {
        Some(match register {
            Self::RETURN_ADDRESS => PC_IN_CONTEXT,
            _ => IN_CONTEXT + 8 * register as isize,
        })
    }

    /// The registers of code that a signal interrupted, if `pc` is where its handler returns to: the call
    /// `rt_sigreturn` (5211), for which the frame of the signal lies at the stack pointer.
    fn interrupted(
        memory: &mut impl Memory,
        pc: Self::Word,
        sp: Self::Word,
    ) -> Option<Registers<Self>> {
        // li v0, 5211; syscall
        const RETURN: [u8; 8] = [0x5b, 0x14, 0x02, 0x24, 0x0c, 0, 0, 0];
        if memory.bytes(pc)? != RETURN {
            return None;
        }
        Self::registers(memory, sp.wrapping_add(CONTEXT))
    }

    /// The call that returns to an address, if there is one before it: it is followed by an instruction that is executed
    /// before the call takes effect.
    fn call_before(memory: &mut impl Memory, address: Self::Word) -> Option<Call<Self::Word>> {
        let pc = address.checked_sub(8).filter(|pc| pc % 4 == 0)?;
        let next = pc.wrapping_add(4);
        let instruction = memory.bytes(pc).map(u32::from_le_bytes)?;
        // JAL, within a region of 256 MB.
        if instruction >> 26 == 3 {
            let offset = u64::from(instruction << 6 >> 4);
            return Some(Call::Direct(next & !0x0fff_ffff | offset));
        }
        // BAL: BGEZAL of the register that is always zero.
        if instruction >> 16 == 0x0411 {
            let distance = 4 * i64::from(instruction as u16 as i16);
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

/// Places of the registers in the `ucontext_t`, in bytes, and where the program counter does.
const IN_CONTEXT: isize = 40;
const PC_IN_CONTEXT: isize = 616;

/// Place of the `ucontext_t` in the frame of a signal, in bytes: behind what once were arguments and code, and the
/// description of the signal.
const CONTEXT: u64 = 24 + 128;

#[cfg(test)]
mod tests {
    use super::super::testing::assert_call;
    use super::*;

    #[test]
    fn calls_are_known_by_their_bits() {
        for (code, expected) in [
            // bal .+16; bal .-16; jalr $25; jalr.hb $25
            (0x0411_0003u32, Some(Some(16))),
            (0x0411_fffb, Some(Some(-16))),
            (0x0320_f809, Some(None)),
            (0x0320_fc09, Some(None)),
            // jal to the fifth word of the region
            (0x0c00_0004, Some(Some(16))),
            // bgez $0; bgezal $2; jalr $1, $25; jr $25; nop
            (0x0401_0003, None),
            (0x0451_0003, None),
            (0x0320_0809, None),
            (0x0320_0008, None),
            (0, None),
        ] {
            let bytes = u64::from(code).to_le_bytes();
            let expected = expected.map(|far: Option<isize>| far.map(|far| far - 8));
            assert_call::<Mips64>(&bytes, expected, &code);
        }
    }

    #[test]
    fn registers_have_places() {
        let places = [0, 29, 31, 32].map(Mips64::in_context);
        assert_eq!(places, [40, 272, 288, 616].map(Some));
        assert_eq!([31, 32, 64, 66].map(Mips64::index), [31, usize::MAX, usize::MAX, 32]);
    }
}
