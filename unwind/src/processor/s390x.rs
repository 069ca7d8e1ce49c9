//! IBM Z in 64 bits.
//!
//! A caller leaves 160 bytes at its stack pointer for what the function wants to save (ELF ABI supplement, 1.3), and the
//! canonical frame address is behind them.

use super::{Call, Chained, Processor, Record, Registers};
use crate::memory::Memory;
use crate::word::Word;

/// IBM Z in 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct S390x;

impl Processor for S390x {
    type Word = u64;
    type Each<T: Copy> = [T; 33];
    /// DWARF's numbers of registers: 16 general ones, and 16 for floating-point numbers, in which functions save general
    /// ones. The program counter has a number that is too high.
    const REGISTERS: usize = 33;
    const STACK_POINTER: usize = 15;
    const FRAME_POINTER: usize = 11;
    const RETURN_ADDRESS: usize = 32;
    const LINK: Option<usize> = Some(14);
    const IS_CHAINED: bool = true;
    /// A frame pointer is what the stack pointer was.
    const RECORDS: &[Record] = &[];
    const IS_BIG_ENDIAN: bool = true;
    const ABOVE_CALLER: usize = 160;

    fn in_context(register: usize) -> Option<isize> {
        Some((IN_CONTEXT + place(register)) as isize)
    }

    /// The registers of code that a signal interrupted, if `pc` is where its handler returns to: one of the calls
    /// `sigreturn` (119) and `rt_sigreturn` (173). The frame of the signal lies at the stack pointer.
    fn interrupted(
        memory: &mut impl Memory,
        pc: Self::Word,
        sp: Self::Word,
    ) -> Option<Registers<Self>> {
        /// Area that the handler may save, a set of signals and a pointer.
        const STATE: usize = S390x::ABOVE_CALLER + 16 - IN_CONTEXT;
        /// Area that the handler may save, two bytes of code and what fills them up, and the description of the
        /// signal.
        const CONTEXT: usize = S390x::ABOVE_CALLER + 8 + 128;
        // svc NUMBER
        let context = match memory.bytes(pc)? {
            [0x0a, 119] => STATE,
            [0x0a, 173] => CONTEXT,
            _ => return None,
        };
        Self::registers(memory, sp.behind(context))
    }

    fn call_before(memory: &mut impl Memory, address: Self::Word) -> Option<Call<Self::Word>> {
        let before: [u8; 6] = memory.bytes(address.checked_sub(6)?)?;
        let direct = |len: u64, halves: i32| {
            let pc = address.wrapping_sub(len);
            Some(Call::Direct(pc.wrapping_add_signed(2 * i64::from(halves))))
        };
        // BRASL, BRAS and BASR, each of %r14.
        match before {
            _ if address % 2 != 0 => None,
            [0xc0, 0xe5, distance @ ..] => direct(6, i32::from_be_bytes(distance)),
            [_, _, 0xa7, 0xe5, high, low] => direct(4, i16::from_be_bytes([high, low]).into()),
            [.., 0x0d, register] if register >> 4 == 14 && register & 15 != 0 => {
                Some(Call::Indirect)
            }
            _ => None,
        }
    }

    /// The caller of a function that has saved its return address and opened its frame: beside the address is where it
    /// saved it.
    fn chain(memory: &mut impl Memory, sp: u64) -> Option<Chained<u64>> {
        // What is at the stack pointer itself belongs to a function that this one has called.
        let first = sp.behind(Self::ABOVE_CALLER).wrapping_add(SAVED_LINK);
        for place in (0..LONGEST_FRAME).map(|n| first.wrapping_add(8 * n)) {
            let [return_address, saved] = memory.words::<Self, 2>([place, place.behind(WORD)])?;
            let stack_pointer = place.wrapping_sub(SAVED_LINK);
            if saved == stack_pointer {
                return Some(Chained { return_address, stack_pointer });
            }
        }
        None
    }
}

/// Offset at which a function saves its return address, at its caller's stack pointer; that itself
/// comes next.
const SAVED_LINK: u64 = 112;

/// Words of the stack among which a function's frame is believed to end.
const LONGEST_FRAME: u64 = 512;

const WORD: usize = 8;

/// Place of the state of interrupted code in the `ucontext_t`, in bytes, and what is where in it.
const IN_CONTEXT: usize = 40;
const PC: usize = 8;
const GENERAL: usize = 16;
const FLOATS: usize = 216;

/// The order of floating-point registers in DWARF's numbers.
const NUMBERS_OF_FLOATS: [usize; 16] = [0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15];

/// Place of a register in such a state.
fn place(number: usize) -> usize {
    match number.checked_sub(FIRST_FLOAT).and_then(|number| NUMBERS_OF_FLOATS.get(number)) {
        Some(float) => FLOATS + float * WORD,
        None if number == S390x::RETURN_ADDRESS => PC,
        None => GENERAL + number * WORD,
    }
}

const FIRST_FLOAT: usize = 16;

#[cfg(test)]
mod tests {
    use super::super::testing::assert_call;
    use super::*;

    #[test]
    fn calls_are_known_by_their_bytes() {
        for (code, expected) in [
            // brasl %r14, .+16; brasl %r14, .-16; bras %r14, .-4
            ([0xc0, 0xe5, 0, 0, 0, 8], Some(Some(16 - 6))),
            ([0xc0, 0xe5, 0xff, 0xff, 0xff, 0xf8], Some(Some(-16 - 6))),
            ([0, 0, 0xa7, 0xe5, 0xff, 0xfe], Some(Some(-4 - 4))),
            // basr %r14, %r1
            ([0, 0, 0, 0, 0x0d, 0xe1], Some(None)),
            // basr %r14, 0; basr %r1, %r14; brasl %r0, .; br %r14; nops
            ([0, 0, 0, 0, 0x0d, 0xe0], None),
            ([0, 0, 0, 0, 0x0d, 0x1e], None),
            ([0xc0, 0x05, 0, 0, 0, 0], None),
            ([0, 0, 0, 0, 0x07, 0xfe], None),
            ([0x47, 0, 0, 0, 0x07, 0x00], None),
        ] {
            assert_call::<S390x>(&code, expected, &code);
        }
    }

    #[test]
    fn floating_point_registers_have_their_own_order() {
        let places = [0, 15, 16, 17, 20, 31, 32].map(place);
        assert_eq!(places, [16, 136, 216, 232, 224, 336, 8]);
    }
}
