//! x86-64.

use super::super::memory::Memory;
use super::{Call, Native, Processor, Record, Values, intel};
use crate::linux::platform::Context;

impl Processor for Native {
    /// DWARF's numbers of registers (System V ABI for x86-64, figure 3.36): 16 general ones and the return
    /// address.
    const REGISTERS: usize = 17;
    const STACK_POINTER: usize = 7;
    const FRAME_POINTER: usize = 6;
    const RETURN_ADDRESS: usize = 16;
    const LINK: Option<usize> = None;
    const RECORDS: &[Record] = intel::RECORDS;

    fn registers(context: &Context) -> Values {
        IN_CONTEXT.map(|index| context.word((index * size_of::<usize>()) as isize))
    }

    /// The registers of code that a signal interrupted, if `pc` is where its handler returns to: the call
    /// `rt_sigreturn` (15), for which the context lies at the stack pointer.
    fn interrupted(memory: &mut Memory, pc: usize, sp: usize) -> Option<Values> {
        // mov $15, %rax; syscall
        if memory.bytes(pc)? != [0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05] {
            return None;
        }
        memory.words(IN_CONTEXT.map(|index| sp.wrapping_add(index * size_of::<usize>())))
    }

    fn call_before(memory: &mut Memory, address: usize) -> Option<Call> {
        intel::call_before(memory, address)
    }
}

/// Where the registers lie in the `ucontext_t`, in words from its start, by DWARF's numbers: behind the
/// flags, the link and the stack of signals.
const IN_CONTEXT: [usize; Native::REGISTERS] =
    [18, 17, 19, 16, 14, 13, 15, 20, 5, 6, 7, 8, 9, 10, 11, 12, 21];
