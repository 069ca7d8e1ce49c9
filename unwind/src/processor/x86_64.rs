//! x86-64.

use super::{Call, Processor, Record, Registers, intel};
use crate::memory::Memory;

/// x86-64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct X86_64;

impl Processor for X86_64 {
    type Word = u64;
    type Each<T: Copy> = [T; 17];
    /// DWARF's numbers of registers (System V ABI for x86-64, figure 3.36): 16 general ones and the return
    /// address.
    const REGISTERS: usize = 17;
    const STACK_POINTER: usize = 7;
    const FRAME_POINTER: usize = 6;
    const RETURN_ADDRESS: usize = 16;
    const LINK: Option<usize> = None;
    const RECORDS: &[Record] = &[intel::record::<u64>()];

    fn in_context(register: usize) -> Option<isize> {
        IN_CONTEXT.get(register).map(|index| 8 * index)
    }

    /// The registers of code that a signal interrupted, if `pc` is where its handler returns to: the call
    /// `rt_sigreturn` (15), for which the context lies at the stack pointer.
    fn interrupted(
        memory: &mut impl Memory,
        pc: Self::Word,
        sp: Self::Word,
    ) -> Option<Registers<Self>> {
        // mov $15, %rax; syscall
        if memory.bytes(pc)? != [0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05] {
            return None;
        }
        Self::registers(memory, sp)
    }

    fn call_before(memory: &mut impl Memory, address: Self::Word) -> Option<Call<Self::Word>> {
        intel::call_before(memory, address)
    }
}

/// Places of the registers in the `ucontext_t`, in words from its start, by DWARF's numbers: behind the
/// flags, the link and the stack of signals.
const IN_CONTEXT: [isize; X86_64::REGISTERS] =
    [18, 17, 19, 16, 14, 13, 15, 20, 5, 6, 7, 8, 9, 10, 11, 12, 21];
