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

    fn through_memory(
        memory: &mut impl Memory,
        address: Self::Word,
        call: Call<Self::Word>,
    ) -> Option<Self::Word> {
        let slot = match call {
            // call *distance(%rip)
            Call::Indirect => slot(memory, address.checked_sub(6)?, 0x15)?,
            // A stub is jmp *distance(%rip); with control-flow enforcement behind endbr64, and of some linkers with bnd.
            Call::Direct(stub) => {
                let landing = memory.bytes(stub)? == [0xf3, 0x0f, 0x1e, 0xfa];
                let jump = if landing { stub.wrapping_add(4) } else { stub };
                let prefix = memory.bytes(jump)? == [0xf2];
                slot(memory, jump.wrapping_add(prefix.into()), 0x25)?
            }
        };
        memory.word::<Self>(slot)
    }
}

/// The place that a call or jump through memory at an address names relative to its end, by its second byte.
fn slot(memory: &mut impl Memory, pc: u64, operand: u8) -> Option<u64> {
    let [opcode, second, distance @ ..]: [u8; 6] = memory.bytes(pc)?;
    let end = pc.wrapping_add(6);
    let is_wanted = [opcode, second] == [0xff, operand];
    is_wanted.then(|| end.wrapping_add_signed(i32::from_le_bytes(distance).into()))
}

/// Places of the registers in the `ucontext_t`, in words from its start, by DWARF's numbers: behind the
/// flags, the link and the stack of signals.
const IN_CONTEXT: [isize; X86_64::REGISTERS] =
    [18, 17, 19, 16, 14, 13, 15, 20, 5, 6, 7, 8, 9, 10, 11, 12, 21];

#[cfg(test)]
mod tests {
    use crate::memory::Piece;
    use crate::processor::Call;
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

    #[test]
    fn calls_through_memory_lead_where_the_word_says() {
        const CODE: u64 = 0x1000;
        const SLOT: u64 = 0x1100;
        // The distance of the slot from the end of an instruction that lies so far from the start of the code.
        let with_distance = |code: &[u8], end: u64| {
            let distance = (SLOT - CODE - end) as u32;
            [code, &distance.to_le_bytes()].concat()
        };
        let leads = |code: &[u8], call: Call<u64>| {
            let address = CODE + code.len() as u64;
            let slot = 0x7654_3210_u64.to_le_bytes();
            let pieces = [(CODE, [code, &[0x90; 8]].concat()), (SLOT, slot.to_vec())];
            let pieces =
                pieces.each_ref().map(|(address, bytes)| Piece { address: *address, bytes });
            X86_64::through_memory(&mut &pieces[..], address, call)
        };
        let there = Some(0x7654_3210);
        let stub = Call::Direct(CODE);
        assert_eq!(leads(&with_distance(b"\xff\x15", 6), Call::Indirect), there);
        assert_eq!(leads(b"\xff\x90\0\0\0\0", Call::Indirect), None);
        assert_eq!(leads(b"\xff\xd0", Call::Indirect), None);
        assert_eq!(leads(&with_distance(b"\xff\x25", 6), stub), there);
        assert_eq!(leads(&with_distance(b"\xf3\x0f\x1e\xfa\xff\x25", 10), stub), there);
        assert_eq!(leads(&with_distance(b"\xf3\x0f\x1e\xfa\xf2\xff\x25", 11), stub), there);
        // What is called is a function; and a slot that cannot be read.
        assert_eq!(leads(b"\x55\x48\x89\xe5\xc3", stub), None);
        assert_eq!(leads(b"\xff\x25\0\0\0\x40", stub), None);
        assert_eq!(leads(b"\x90", Call::Direct(0x9000)), None);
    }
}
