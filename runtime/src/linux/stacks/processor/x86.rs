//! 32-bit x86.

use super::super::memory::Memory;
use super::{Call, Native, Processor, Record, Values, intel};
use crate::linux::platform::Context;

impl Processor for Native {
    /// DWARF's numbers of registers, as gcc has them in `.eh_frame`: 8 general ones and the return address.
    const REGISTERS: usize = 9;
    const STACK_POINTER: usize = 4;
    const FRAME_POINTER: usize = 5;
    const RETURN_ADDRESS: usize = 8;
    const LINK: Option<usize> = None;
    const RECORDS: &[Record] = intel::RECORDS;

    fn registers(context: &Context) -> Values {
        IN_SIGNAL.map(|index| context.word(((SIGNAL + index) * WORD) as isize))
    }

    /// The registers of code that a signal interrupted, if `pc` is where its handler returns to: one of the calls
    /// `sigreturn` (119) and `rt_sigreturn` (173). The handler's arguments lie at the stack pointer: the signal, then
    /// the state itself, or pointers to the description of the signal and to the `ucontext_t`.
    fn interrupted(memory: &mut Memory, pc: usize, sp: usize) -> Option<Values> {
        // pop %eax; mov $119, %eax; int $0x80
        const SIGRETURN: [u8; 8] = [0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80];
        // mov $173, %eax; int $0x80
        const RT_SIGRETURN: [u8; 7] = [0xb8, 0xad, 0, 0, 0, 0xcd, 0x80];
        let state = if memory.bytes(pc)? == RT_SIGRETURN {
            memory.word(sp.wrapping_add(2 * WORD))?.wrapping_add(SIGNAL * WORD)
        } else if memory.bytes(pc)? == SIGRETURN {
            sp.wrapping_add(WORD)
        } else {
            return None;
        };
        memory.words(IN_SIGNAL.map(|index| state.wrapping_add(index * WORD)))
    }

    fn call_before(memory: &mut Memory, address: usize) -> Option<Call> {
        intel::call_before(memory, address)
    }
}

/// Where the registers lie in a `struct sigcontext`, in words from its start, by DWARF's numbers.
const IN_SIGNAL: [usize; Native::REGISTERS] = [11, 10, 9, 8, 7, 6, 5, 4, 14];

/// Where that lies in the `ucontext_t`, in words: behind the flags, the link and the stack of signals.
const SIGNAL: usize = 5;

const WORD: usize = size_of::<usize>();
