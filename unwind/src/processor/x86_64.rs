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

    fn ends_thread(memory: &mut impl Memory, address: Self::Word) -> bool {
        // mov %eax, %edi; xor %eax, %eax; mov $60, %al; syscall
        memory.bytes(address) == Some([0x89, 0xc7, 0x31, 0xc0, 0xb0, 0x3c, 0x0f, 0x05])
    }

    fn call_before(memory: &mut impl Memory, address: Self::Word) -> Option<Call<Self::Word>> {
        intel::call_before(memory, address)
    }
}

/// Places of the registers in the `ucontext_t`, in words from its start, by DWARF's numbers: behind the
/// flags, the link and the stack of signals.
const IN_CONTEXT: [isize; X86_64::REGISTERS] =
    [18, 17, 19, 16, 14, 13, 15, 20, 5, 6, 7, 8, 9, 10, 11, 12, 21];

#[cfg(test)]
mod tests {
    use crate::memory::Piece;
    use crate::{Aarch64, Processor, RiscV64, X86_64};

    #[test]
    fn ends_of_threads_are_known_by_their_bytes() {
        fn ends<P: Processor<Word = u64>>(bytes: &[u8]) -> bool {
            P::ends_thread(&mut &[Piece { address: 0x1000, bytes }][..], 0x1000)
        }
        let intel = b"\x89\xc7\x31\xc0\xb0\x3c\x0f\x05\xf4";
        let arm = b"\xa8\x0b\x80\xd2\x01\0\0\xd4";
        let riscv = b"\x93\x08\xd0\x05\x73\0\0\0";
        assert!(ends::<X86_64>(intel) && !ends::<X86_64>(arm) && !ends::<X86_64>(&intel[..7]));
        assert!(ends::<Aarch64>(arm) && !ends::<Aarch64>(riscv));
        assert!(ends::<RiscV64>(riscv) && !ends::<RiscV64>(intel));
    }
}
