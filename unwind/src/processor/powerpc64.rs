//! 64-bit PowerPC, little-endian, ELFv2.
//!
//! The stack pointer always points to the caller's (ELFv2 ABI, 2.2.2), which makes a chain of all frames. A function that
//! calls others saves its return address in the frame of its caller.

use super::{Call, Chained, Processor, Record, Registers};
use crate::memory::Memory;

/// 64-bit PowerPC, little-endian, ELFv2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PowerPc64;

impl Processor for PowerPc64 {
    type Word = u64;
    type Each<T: Copy> = [T; 34];
    /// The general registers by DWARF's numbers, then the link register, which has another number there, and the program
    /// counter, which has none.
    const REGISTERS: usize = 34;
    const STACK_POINTER: usize = 1;
    const FRAME_POINTER: usize = 31;
    const RETURN_ADDRESS: usize = 33;
    const LINK: Option<usize> = Some(32);
    const IS_CHAINED: bool = true;
    /// No records: the frame pointer points to the chain.
    const RECORDS: &[Record] = &[];
    /// Three words of the caller's frame: its caller's stack pointer, the condition register and the return address.
    const LINKAGE: usize = 24;

    /// The place of a register by DWARF's number.
    fn index(number: usize) -> usize {
        match number {
            0..PC => number,
            LINK_IN_DWARF => PC,
            _ => usize::MAX,
        }
    }

    fn in_context(register: usize) -> Option<isize> {
        let place = match register {
            Self::RETURN_ADDRESS => PC,
            PC => LINK_REGISTER,
            _ => register,
        };
        Some((IN_CONTEXT + 8 * place) as isize)
    }

    /// The registers of code that a signal interrupted, if `pc` is where its handler returns to: the call
    /// `rt_sigreturn` (172), for which the frame of the signal lies at the stack pointer or, where the code adds that itself,
    /// where the handler's frame ends.
    fn interrupted(
        memory: &mut impl Memory,
        pc: Self::Word,
        sp: Self::Word,
    ) -> Option<Registers<Self>> {
        // addi r1, r1, 128; li r0, 172; sc
        const LEAVE: u32 = 0x3821_0080;
        const RETURN: [u32; 2] = [0x3800_00ac, 0x4400_0002];
        let leaves = instruction(memory, pc)? == LEAVE;
        let (call, frame) =
            if leaves { (pc.wrapping_add(4), STACK_FRAME) } else { (pc, STACK_FRAME_OF_QEMU) };
        let [first, second] = [call, call.wrapping_add(4)].map(|pc| instruction(memory, pc));
        if [first?, second?] != RETURN {
            return None;
        }
        Self::registers(memory, sp.wrapping_add(frame))
    }

    fn call_before(memory: &mut impl Memory, address: Self::Word) -> Option<Call<Self::Word>> {
        let pc = address.checked_sub(4).filter(|pc| pc % 4 == 0)?;
        let instruction = instruction(memory, pc)?;
        // BL, with a distance of 26 bits; BCTRL and BLRL.
        if instruction & 0xfc00_0003 == 0x4800_0001 {
            let distance = ((instruction & !3) << 6) as i32 >> 6;
            return Some(Call::Direct(pc.wrapping_add_signed(distance.into())));
        }
        [0x4e80_0421, 0x4e80_0021].contains(&instruction).then_some(Call::Indirect)
    }

    /// The caller of a function that has opened its frame.
    fn chain(memory: &mut impl Memory, sp: u64) -> Option<Chained<u64>> {
        const ALIGNMENT: u64 = 16;
        let stack_pointer = memory.word::<Self>(sp)?;
        if stack_pointer == 0 {
            return Some(Chained { return_address: 0, stack_pointer });
        }
        if stack_pointer <= sp || stack_pointer % ALIGNMENT != 0 {
            return None;
        }
        let return_address = memory.word::<Self>(stack_pointer.wrapping_add(SAVED_LINK))?;
        Some(Chained { return_address, stack_pointer })
    }
}

/// Place of the return address in the caller's frame.
const SAVED_LINK: u64 = 16;

/// DWARF's number of the link register.
const LINK_IN_DWARF: usize = 65;

/// Places of the registers in the `ucontext_t`, in bytes: 32 general ones, the program counter, and four further on the
/// link register.
const IN_CONTEXT: usize = 232;
const PC: usize = 32;
const LINK_REGISTER: usize = 36;

/// Size of the head of a signal's frame, and the one in qemu-user 7.2.
const STACK_FRAME: u64 = 128;
const STACK_FRAME_OF_QEMU: u64 = 144;

/// Instructions are little-endian, as data are.
fn instruction(memory: &mut impl Memory, pc: u64) -> Option<u32> {
    memory.bytes(pc).map(u32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::super::testing::assert_call;
    use super::PowerPc64;

    #[test]
    fn calls_are_known_by_their_bits() {
        for (code, expected) in [
            (0x4800_0011u32, Some(Some(0x10 - 4))),
            (0x4bff_fff1, Some(Some(-0x10 - 4))),
            // bctrl; blrl
            (0x4e80_0421, Some(None)),
            (0x4e80_0021, Some(None)),
            // b; bla; bctr; blr; nop
            (0x4800_0010, None),
            (0x4800_0013, None),
            (0x4e80_0420, None),
            (0x4e80_0020, None),
            (0x6000_0000, None),
        ] {
            assert_call::<PowerPc64>(&code.to_le_bytes(), expected, &code);
        }
    }
}
