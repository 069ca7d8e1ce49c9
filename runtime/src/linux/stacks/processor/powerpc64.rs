//! 64-bit PowerPC, little-endian, ELFv2.
//!
//! The stack pointer always points to the caller's (ELFv2 ABI, 2.2.2), which makes a chain of all frames. A function that
//! calls others saves its return address in the frame of its caller.

use super::super::memory::Memory;
use super::{Call, Chain, Chained, Native, Processor, Record, Values, row};
use crate::linux::platform::Context;

impl Processor for Native {
    /// The general registers by DWARF's numbers, then the link register, which has another number there, and the program
    /// counter, which has none.
    const REGISTERS: usize = 34;
    const STACK_POINTER: usize = 1;
    const FRAME_POINTER: usize = 31;
    const RETURN_ADDRESS: usize = 33;
    const LINK: Option<usize> = Some(32);
    const CHAIN: Option<Chain> = Some(chain);
    /// What the frame pointer points to is the chain.
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

    fn registers(context: &Context) -> Values {
        by_number(row::in_context(context, IN_CONTEXT))
    }

    /// The registers of code that a signal interrupted, if `pc` is where its handler returns to: the call
    /// `rt_sigreturn` (172), for which the frame of the signal lies at the stack pointer or, where the code adds that itself,
    /// where the handler's frame ends.
    fn interrupted(memory: &mut Memory, pc: usize, sp: usize) -> Option<Values> {
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
        row::in_memory(memory, sp.wrapping_add(frame + IN_CONTEXT)).map(by_number)
    }

    fn call_before(memory: &mut Memory, address: usize) -> Option<Call> {
        let pc = address.checked_sub(4).filter(|pc| pc % 4 == 0)?;
        let instruction = instruction(memory, pc)?;
        // BL, with a distance of 26 bits; BCTRL and BLRL.
        if instruction & 0xfc00_0003 == 0x4800_0001 {
            let distance = ((instruction & !3) << 6) as i32 >> 6;
            return Some(Call::Direct(pc.wrapping_add_signed(distance as isize)));
        }
        [0x4e80_0421, 0x4e80_0021].contains(&instruction).then_some(Call::Indirect)
    }
}

/// Where the return address is in the caller's frame.
const SAVED_LINK: usize = 16;

/// DWARF's number of the link register.
const LINK_IN_DWARF: usize = 65;

/// Where the registers lie in the `ucontext_t`, in bytes: 32 general ones, the program counter, and four further on the
/// link register.
const IN_CONTEXT: usize = 232;
const PC: usize = 32;
const LINK_REGISTER: usize = 36;
const STORED: usize = 37;

/// What a signal's frame begins with, and what it begins with in qemu-user 7.2.
const STACK_FRAME: usize = 128;
const STACK_FRAME_OF_QEMU: usize = 144;

fn by_number(stored: [usize; STORED]) -> Values {
    let place = |number| match number {
        Native::RETURN_ADDRESS => PC,
        PC => LINK_REGISTER,
        _ => number,
    };
    core::array::from_fn(|number| stored.get(place(number)).copied().unwrap_or(0))
}

/// The caller of a function that has opened its frame.
fn chain(memory: &mut Memory, sp: usize) -> Option<Chained> {
    const ALIGNMENT: usize = 16;
    let stack_pointer = memory.word(sp)?;
    if stack_pointer == 0 {
        return Some(Chained { return_address: 0, stack_pointer });
    }
    if stack_pointer <= sp || stack_pointer % ALIGNMENT != 0 {
        return None;
    }
    let return_address = memory.word(stack_pointer.wrapping_add(SAVED_LINK))?;
    Some(Chained { return_address, stack_pointer })
}

/// Instructions are little-endian, as data are.
fn instruction(memory: &mut Memory, pc: usize) -> Option<u32> {
    memory.bytes(pc).map(u32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::super::call::assert_call;

    #[test]
    fn calls_are_known_by_their_bits() {
        for (code, expected) in [
            (0x4800_0011u32, Some(Some(0x10))),
            (0x4bff_fff1, Some(Some(-0x10))),
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
            let bytes = [0, code];
            let pc = &raw const bytes[1] as usize;
            assert_call(pc, expected, format_args!("{code:x}"));
        }
    }
}
