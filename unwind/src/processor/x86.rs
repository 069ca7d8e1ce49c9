//! 32-bit x86.

use super::{Call, Processor, Record, Registers, intel};
use crate::memory::Memory;
use crate::word::Word;

/// 32-bit x86.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct X86;

impl Processor for X86 {
    type Word = u32;
    type Each<T: Copy> = [T; 9];
    /// DWARF's numbers of registers, as gcc has them in `.eh_frame`: 8 general ones and the return address.
    const REGISTERS: usize = 9;
    const STACK_POINTER: usize = 4;
    const FRAME_POINTER: usize = 5;
    const RETURN_ADDRESS: usize = 8;
    const LINK: Option<usize> = None;
    const RECORDS: &[Record] = &[intel::record::<u32>()];

    fn in_context(register: usize) -> Option<isize> {
        let index = IN_SIGNAL.get(register)?;
        Some((4 * (SIGNAL + index)) as isize)
    }

    /// The registers of code that a signal interrupted, if `pc` is where its handler returns to: one of the calls
    /// `sigreturn` (119) and `rt_sigreturn` (173). The handler's arguments lie at the stack pointer: the signal, then
    /// the state itself, or pointers to the description of the signal and to the `ucontext_t`.
    fn interrupted(
        memory: &mut impl Memory,
        pc: Self::Word,
        sp: Self::Word,
    ) -> Option<Registers<Self>> {
        // pop %eax; mov $119, %eax; int $0x80
        const SIGRETURN: [u8; 8] = [0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80];
        // mov $173, %eax; int $0x80
        const RT_SIGRETURN: [u8; 7] = [0xb8, 0xad, 0, 0, 0, 0xcd, 0x80];
        let context = if memory.bytes(pc.into())? == RT_SIGRETURN {
            memory.word::<Self>(sp.wrapping_add(8))?
        } else if memory.bytes(pc.into())? == SIGRETURN {
            sp.wrapping_add(4).before(4 * SIGNAL)
        } else {
            return None;
        };
        Self::registers(memory, context)
    }

    fn call_before(memory: &mut impl Memory, address: Self::Word) -> Option<Call<Self::Word>> {
        intel::call_before(memory, address)
    }
}

/// Places of the registers in a `struct sigcontext`, in words from its start, by DWARF's numbers.
const IN_SIGNAL: [usize; X86::REGISTERS] = [11, 10, 9, 8, 7, 6, 5, 4, 14];

/// Offset of that in the `ucontext_t`, in words: behind the flags, the link and the stack of signals.
const SIGNAL: usize = 5;
