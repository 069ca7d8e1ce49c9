//! AArch64.

use super::{Call, Processor, Record, Registers};
use crate::memory::Memory;

/// AArch64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aarch64;

impl Processor for Aarch64 {
    type Word = u64;
    type Each<T: Copy> = [T; 33];
    /// DWARF's numbers of registers: x0 to x30, the stack pointer and the program counter.
    const REGISTERS: usize = 33;
    const STACK_POINTER: usize = 31;
    const FRAME_POINTER: usize = 29;
    const RETURN_ADDRESS: usize = 32;
    const LINK: Option<usize> = Some(30);
    /// A frame record (AAPCS64, 6.4.6), which lies anywhere in the frame, most often at its lower end.
    const RECORDS: &[Record] =
        &[Record { frame_pointer: 0, return_address: 8, end: 16, ends_frame: false }];

    fn in_context(register: usize) -> Option<isize> {
        Some((IN_CONTEXT + 8 * register) as isize)
    }

    /// The registers of code that a signal interrupted, if `pc` is where its handler returns to: the call
    /// `rt_sigreturn` (139), for which the frame of the signal lies at the stack pointer.
    fn interrupted(
        memory: &mut impl Memory,
        pc: Self::Word,
        sp: Self::Word,
    ) -> Option<Registers<Self>> {
        // mov x8, #139; svc #0
        const RETURN: [u32; 2] = [0xd280_1168, 0xd400_0001];
        let [first, second] = [pc, pc.wrapping_add(4)].map(|pc| instruction(memory, pc));
        if [first?, second?] != RETURN {
            return None;
        }
        Self::registers(memory, sp.wrapping_add(CONTEXT))
    }

    fn ends_thread(memory: &mut impl Memory, address: Self::Word) -> bool {
        // mov x8, #93; svc #0
        memory.bytes(address) == Some([0xa8, 0x0b, 0x80, 0xd2, 0x01, 0, 0, 0xd4])
    }

    fn call_before(memory: &mut impl Memory, address: Self::Word) -> Option<Call<Self::Word>> {
        let pc = address.checked_sub(4).filter(|pc| pc % 4 == 0)?;
        let instruction = instruction(memory, pc)?;
        // BL, with a distance of 26 bits in words; BLR and its authenticating forms.
        if instruction >> 26 == 0b10_0101 {
            let distance = (instruction << 6) as i32 >> 4;
            return Some(Call::Direct(pc.wrapping_add_signed(distance.into())));
        }
        (instruction & 0xfeff_f000 == 0xd63f_0000).then_some(Call::Indirect)
    }

    fn through_memory(
        memory: &mut impl Memory,
        _: Self::Word,
        call: Call<Self::Word>,
    ) -> Option<Self::Word> {
        // bti c, where branches are checked.
        const LANDING: u32 = 0xd503_245f;
        let stub = call.target()?;
        let has_landing = instruction(memory, stub)? == LANDING;
        let start = if has_landing { stub.wrapping_add(4) } else { stub };
        let [page, load] = [start, start.wrapping_add(4)].map(|pc| instruction(memory, pc));
        let (page, load) = (page?, load?);
        // adrp x16, page; ldr x17, [x16, #offset]
        if page & 0x9f00_001f != 0x9000_0010 || load & 0xffc0_03ff != 0xf940_0211 {
            return None;
        }
        let pages = (page << 8) as i32 >> 13 << 2 | (page >> 29 & 3) as i32;
        let offset = u64::from(load >> 10 & 0xfff) * 8;
        let slot = (start & !0xfff).wrapping_add_signed(i64::from(pages) << 12);
        memory.word::<Self>(slot.wrapping_add(offset))
    }

    /// A return address without the signature of pointer authentication, which is in the bits that addresses of code do
    /// not have.
    fn plain(address: u64) -> u64 {
        address & 0x0000_ffff_ffff_ffff
    }
}

/// Places of the registers in the `ucontext_t`, in bytes, in the order of DWARF's numbers.
const IN_CONTEXT: usize = 184;

/// Place of the `ucontext_t` in the frame of a signal, in bytes: behind the description of the signal.
const CONTEXT: u64 = 128;

/// Instructions are little-endian.
fn instruction(memory: &mut impl Memory, pc: u64) -> Option<u32> {
    memory.bytes(pc).map(u32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::super::testing::assert_call;
    use super::*;
    use crate::memory::Piece;

    #[test]
    fn calls_are_known_by_their_bits() {
        for (code, expected) in [
            (0x9400_0004u32, Some(Some(0x10 - 4))),
            (0x97ff_fffc, Some(Some(-0x10 - 4))),
            // blr x3; blraa x1, x2; blraaz x5
            (0xd63f_0060, Some(None)),
            (0xd73f_0822, Some(None)),
            (0xd63f_08bf, Some(None)),
            // b; br x3; ret; nop
            (0x1400_0004, None),
            (0xd61f_0060, None),
            (0xd65f_03c0, None),
            (0xd503_201f, None),
        ] {
            assert_call::<Aarch64>(&code.to_le_bytes(), expected, &code);
        }
    }

    #[test]
    fn calls_of_stubs_lead_where_their_words_say() {
        const STUB: u64 = 0x40_1000;
        let leads = |code: &[u32], slot: u64| {
            let code: Vec<u8> = code.iter().flat_map(|code| code.to_le_bytes()).collect();
            let word = 0x7654_3210_u64.to_le_bytes();
            let pieces = [(STUB, &code[..]), (slot, &word[..])];
            let pieces = pieces.map(|(address, bytes)| Piece { address, bytes });
            Aarch64::through_memory(&mut &pieces[..], 0, Call::Direct(STUB))
        };
        // adrp x16, #0x1f000; ldr x17, [x16, #0xfb8]; add x16, x16, #0xfb8; br x17
        let stub = [0xf000_00f0, 0xf947_de11, 0x913e_e210, 0xd61f_0220];
        let slot = 0x42_0fb8;
        assert_eq!(leads(&stub, slot), Some(0x7654_3210));
        assert_eq!(leads(&[&[0xd503_245f], &stub[..]].concat(), slot), Some(0x7654_3210));
        assert_eq!(leads(&stub, slot + 0x1000), None);
        // adrp x16, #-0x1000
        assert_eq!(leads(&[&[0xf0ff_fff0], &stub[1..]].concat(), 0x40_0fb8), Some(0x7654_3210));
        assert_eq!(leads(&stub[1..], slot), None);
        assert_eq!(leads(&stub[..1], slot), None);
    }

    #[test]
    fn signatures_are_taken_off() {
        assert_eq!(Aarch64::plain(0x003b_5500_0012_3456), 0x5500_0012_3456);
    }
}
