//! 64-bit RISC-V.

use super::{Call, Processor, Record, Registers};
use crate::memory::Memory;

/// 64-bit RISC-V.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RiscV64;

impl Processor for RiscV64 {
    type Word = u64;
    type Each<T: Copy> = [T; 33];
    /// DWARF's numbers of registers: x0 to x31. The program counter has none of its own.
    const REGISTERS: usize = 33;
    const STACK_POINTER: usize = 2;
    const FRAME_POINTER: usize = 8;
    const RETURN_ADDRESS: usize = 32;
    const LINK: Option<usize> = Some(1);
    /// The frame pointer points behind what the function has saved: first the return address, then the caller's frame
    /// pointer.
    const RECORDS: &[Record] =
        &[Record { frame_pointer: -16, return_address: -8, end: 0, ends_frame: true }];

    /// The program counter is where x0 would be.
    fn in_context(register: usize) -> Option<isize> {
        let place = match register {
            0 => return None,
            Self::RETURN_ADDRESS => 0,
            _ => register,
        };
        Some((IN_CONTEXT + 8 * place) as isize)
    }

    /// The registers of code that a signal interrupted, if `pc` is where its handler returns to: the call
    /// `rt_sigreturn` (139), for which the frame of the signal lies at the stack pointer.
    fn interrupted(
        memory: &mut impl Memory,
        pc: Self::Word,
        sp: Self::Word,
    ) -> Option<Registers<Self>> {
        // li a7, 139; ecall
        const RETURN: [u8; 8] = [0x93, 0x08, 0xb0, 0x08, 0x73, 0, 0, 0];
        if memory.bytes(pc)? != RETURN {
            return None;
        }
        Self::registers(memory, sp.wrapping_add(CONTEXT))
    }

    fn ends_thread(memory: &mut impl Memory, address: Self::Word) -> bool {
        // li a7, 93; ecall
        memory.bytes(address) == Some([0x93, 0x08, 0xd0, 0x05, 0x73, 0, 0, 0])
    }

    fn call_before(memory: &mut impl Memory, address: Self::Word) -> Option<Call<Self::Word>> {
        let pc = address.checked_sub(4).filter(|pc| pc % 2 == 0)?;
        let [low, high] = [pc, pc.wrapping_add(2)].map(|at| half(memory, at));
        let (low, high) = (low?, high?);
        let instruction = high << 16 | low;
        // JAL ra
        if instruction & 0xfff == 0x0ef {
            return Some(Call::Direct(pc.wrapping_add_signed(distance(instruction))));
        }
        // JALR ra, behind the AUIPC of the same register that makes it reach any address.
        if instruction & 0x7fff == 0x00e7 {
            let base = instruction >> 15 & 0x1f;
            let before = pc.checked_sub(4)?;
            let [low, high] = [before, before.wrapping_add(2)].map(|at| half(memory, at));
            let upper = high? << 16 | low?;
            if upper & 0xfff == base << 7 | 0x17 {
                let (upper, lower) = ((upper & 0xffff_f000) as i32, instruction as i32 >> 20);
                let distance = upper.wrapping_add(lower).into();
                return Some(Call::Direct(before.wrapping_add_signed(distance)));
            }
            return Some(Call::Indirect);
        }
        // C.JALR, which with x0 is C.EBREAK.
        (high & 0xf07f == 0x9002 && high != 0x9002).then_some(Call::Indirect)
    }
}

/// Places of the registers in the `ucontext_t`, in bytes: the program counter in place of x0.
const IN_CONTEXT: usize = 176;

/// Place of the `ucontext_t` in the frame of a signal, in bytes: behind the description of the signal.
const CONTEXT: u64 = 128;

/// The distance that `JAL` names: 21 bits, the lowest of them zero.
fn distance(instruction: u32) -> i64 {
    let bits = instruction >> 31 << 20
        | (instruction >> 12 & 0xff) << 12
        | (instruction >> 20 & 1) << 11
        | (instruction >> 21 & 0x3ff) << 1;
    ((bits << 11) as i32 >> 11).into()
}

/// Half an instruction, or a compressed one. They are little-endian.
fn half(memory: &mut impl Memory, pc: u64) -> Option<u32> {
    memory.bytes(pc).map(|bytes| u16::from_le_bytes(bytes).into())
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_call;
    use super::*;

    #[test]
    fn calls_are_known_by_their_bits() {
        for (code, expected) in [
            // jal ra, .+16; jal ra, .-16; auipc ra, 1; jalr 14(ra); auipc t1, 0; jalr t1
            (&[0x0001u16, 0x0001, 0x00ef, 0x0100][..], Some(Some(16))),
            (&[0x0001, 0x0001, 0xf0ef, 0xff1f], Some(Some(-16))),
            (&[0x1097, 0x0000, 0x80e7, 0x00e0], Some(Some(0x1000 + 14 - 4))),
            (&[0xf097, 0xffff, 0x80e7, 0x00e0], Some(Some(-0x1000 + 14 - 4))),
            (&[0x0001, 0x0001, 0x80e7, 0x0006], Some(None)),
            (&[0x0317, 0x0000, 0x0001, 0x9302], Some(None)),
            // jal t0; jalr zero, ra; c.ebreak; c.jr ra; nops
            (&[0x0001, 0x0001, 0x02ef, 0x0160], None),
            (&[0x0001, 0x0001, 0x8067, 0x0000], None),
            (&[0x0001, 0x0001, 0x0001, 0x9002], None),
            (&[0x0001, 0x0001, 0x0001, 0x8082], None),
            (&[0x0001, 0x0001, 0x0001, 0x0001], None),
        ] {
            let bytes: std::vec::Vec<u8> =
                code.iter().flat_map(|half| half.to_le_bytes()).collect();
            let expected = expected.map(|far: Option<isize>| far.map(|far| far - 4));
            assert_call::<RiscV64>(&bytes, expected, &code);
        }
    }

    #[test]
    fn program_counter_comes_first() {
        let places = [0, 1, 31, 32].map(RiscV64::in_context);
        assert_eq!(places, [None, Some(184), Some(424), Some(176)]);
    }
}
