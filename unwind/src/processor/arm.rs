//! 32-bit ARM, in ARM code and in Thumb code.

use super::{Call, Processor, Record, Registers};
use crate::memory::Memory;
use crate::tables::Kind;

/// 32-bit ARM, in ARM code and in Thumb code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arm;

impl Processor for Arm {
    type Word = u32;
    type Each<T: Copy> = [T; 16];
    /// The registers r0 to r15, the last of which is the program counter.
    const REGISTERS: usize = 16;
    const STACK_POINTER: usize = 13;
    /// As Thumb code has it, which compilers make where nothing else is asked for.
    const FRAME_POINTER: usize = 7;
    const RETURN_ADDRESS: usize = 15;
    const LINK: Option<usize> = Some(14);
    /// `push {…, r7, lr}; add r7, sp, #…`
    const RECORDS: &[Record] =
        &[Record { frame_pointer: 0, return_address: 4, end: 8, ends_frame: true }];
    const RULES: Kind = Kind::ArmExidx;
    /// Rules hold behind calls only.
    const ARE_RULES_EXACT: bool = false;

    fn in_context(register: usize) -> Option<isize> {
        Some((IN_CONTEXT + 4 * register) as isize)
    }

    /// The registers of code that a signal interrupted, if `pc` is where its handler returns to: one of the calls
    /// `sigreturn` (119) and `rt_sigreturn` (173), for which the `ucontext_t` lies at the stack pointer, or behind
    /// the description of the signal.
    fn interrupted(
        memory: &mut impl Memory,
        pc: Self::Word,
        sp: Self::Word,
    ) -> Option<Registers<Self>> {
        let code: [u8; 8] = memory.bytes((pc & !1).into())?;
        let number = match code {
            // mov r7, #NUMBER; svc, in Thumb code and in ARM code
            [number, 0x27, _, 0xdf, ..] => number,
            [number, 0x70, 0xa0, 0xe3, _, _, _, 0xef] => number,
            _ => return None,
        };
        match number {
            119 => Self::registers(memory, sp),
            173 => Self::registers(memory, sp.wrapping_add(INFO)),
            _ => None,
        }
    }

    fn call_before(memory: &mut impl Memory, address: Self::Word) -> Option<Call<Self::Word>> {
        let address = Self::plain(address);
        let bytes = memory.bytes(address.checked_sub(4)?.into())?;
        let word = u32::from_le_bytes(bytes);
        let (first, second) = (word & 0xffff, word >> 16);
        let at = |base: u32, distance: i32| Some(Call::Direct(base.wrapping_add_signed(distance)));
        // BL, and BLX to ARM code; BLX by a register.
        if first >> 11 == 0b1_1110 && second & 0xd000 == 0xd000 {
            return at(address, thumb_distance(first, second));
        }
        if first >> 11 == 0b1_1110 && second & 0xd001 == 0xc000 {
            return at(address & !3, thumb_distance(first, second));
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
    fn plain(address: u32) -> u32 {
        address & !1
    }
}

/// Places of the registers in the `ucontext_t`, in bytes.
const IN_CONTEXT: usize = 32;

/// Size of the description of a signal, in bytes.
const INFO: u32 = 128;

/// Distance that `BL` or `BLX` leads in Thumb code, in bytes; `first` and `second` are its halfwords.
///
/// The distance has 25 bits, of which the first halfword has the sign and the upper ones.
fn thumb_distance(first: u32, second: u32) -> i32 {
    let sign = first >> 10 & 1;
    let upper = |bit: u32| (second >> bit & 1) ^ sign ^ 1;
    let low = (first & 0x3ff) << 12 | (second & 0x7ff) << 1;
    let bits = sign << 24 | upper(13) << 23 | upper(11) << 22 | low;
    (bits << 7) as i32 >> 7
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_call;
    use super::Arm;

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
            let [low, high] = code.map(u32::from);
            let expected = expected.map(|far: Option<isize>| far.map(|far| far - 4));
            assert_call::<Arm>(&(high << 16 | low).to_le_bytes(), expected, &code);
        }
    }
}
