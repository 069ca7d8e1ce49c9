//! x86-64.

use super::super::memory::Memory;
use crate::linux::platform::Context;

/// DWARF's numbers of registers (System V ABI for x86-64, figure 3.36): 16 general ones and the return
/// address.
pub(in super::super) const REGISTERS: usize = 17;
pub(in super::super) const STACK_POINTER: usize = 7;
pub(in super::super) const FRAME_POINTER: usize = 6;
pub(in super::super) const RETURN_ADDRESS: usize = 16;
pub(in super::super) const LINK: Option<usize> = None;

/// Stacks can be walked.
pub(in super::super) const IS_SUPPORTED: bool = true;

/// Where the registers lie in the `ucontext_t`, in words from its start, by DWARF's numbers: behind the
/// flags, the link and the stack of signals.
const IN_CONTEXT: [usize; REGISTERS] =
    [18, 17, 19, 16, 14, 13, 15, 20, 5, 6, 7, 8, 9, 10, 11, 12, 21];

/// A call.
pub(in super::super) enum Call {
    /// To this address.
    Direct(usize),
    /// To an address that only the registers of then told.
    Indirect,
}

impl Call {
    /// The address that is called; `None` if only the registers of then told it.
    pub(in super::super) fn target(self) -> Option<usize> {
        match self {
            Self::Direct(target) => Some(target),
            Self::Indirect => None,
        }
    }
}

/// The registers of interrupted code.
pub(in super::super) fn registers(context: &Context) -> [usize; REGISTERS] {
    IN_CONTEXT.map(|index| context.word(index * size_of::<usize>()))
}

/// The registers of code that a signal interrupted, if `pc` is where its handler returns to: the call
/// `rt_sigreturn` (15), for which the context lies at the stack pointer.
pub(in super::super) fn interrupted(
    memory: &mut Memory,
    pc: usize,
    stack_pointer: usize,
) -> Option<[usize; REGISTERS]> {
    // mov $15, %rax; syscall
    if memory.bytes(pc)? != [0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05] {
        return None;
    }
    let mut registers = [0; REGISTERS];
    for (place, index) in registers.iter_mut().zip(IN_CONTEXT) {
        *place = memory.word(stack_pointer.wrapping_add(index * size_of::<usize>()))?;
    }
    Some(registers)
}

/// The call that returns to an address, if there is one before it.
pub(in super::super) fn call_before(memory: &mut Memory, address: usize) -> Option<Call> {
    let before: [u8; 7] = memory.bytes(address.checked_sub(7)?)?;
    let [b7, b6, b5, b4, b3, b2, b1] = before;
    if b5 == 0xe8 {
        let distance = i32::from_le_bytes([b4, b3, b2, b1]);
        return Some(Call::Direct(address.wrapping_add_signed(distance as isize)));
    }
    // call *operand: ff /2, by the length of the operand.
    let mode = |byte: u8| byte >> 6;
    let rest = |byte: u8| byte & 7;
    let is_call = |byte: u8| byte >> 3 & 7 == 2;
    let operand = |opcode: u8, byte: u8| opcode == 0xff && is_call(byte);
    let is_indirect = operand(b2, b1)
        && (mode(b1) == 3 || mode(b1) == 0 && ![4, 5].contains(&rest(b1)))
        || operand(b3, b2) && (mode(b2) == 1 && rest(b2) != 4 || mode(b2) == 0 && rest(b2) == 4)
        || operand(b4, b3) && mode(b3) == 1 && rest(b3) == 4
        || operand(b6, b5) && (mode(b5) == 2 && rest(b5) != 4 || mode(b5) == 0 && rest(b5) == 5)
        || operand(b7, b6) && mode(b6) == 2 && rest(b6) == 4;
    is_indirect.then_some(Call::Indirect)
}

/// A return address as the code has it.
pub(in super::super) fn plain(address: usize) -> usize {
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_known_by_their_bytes() {
        let mut memory = Memory::new();
        for (code, expected) in [
            (&b"\xe8\x10\0\0\0"[..], Some(0x10)),
            (b"\xe8\xf0\xff\xff\xff", Some(-0x10)),
            (b"\xff\xd0", None),
            (b"\x41\xff\xd7", None),
            (b"\xff\x10", None),
            (b"\xff\x50\x08", None),
            (b"\xff\x54\x24\x08", None),
            (b"\xff\x14\xc5\0\0\0\0", None),
            (b"\xff\x14\x03", None),
            (b"\xff\x15\x01\x02\x03\x04", None),
            (b"\xff\x90\x01\x02\x03\x04", None),
            (b"\xff\x94\x24\x01\x02\x03\x04", None),
        ] {
            let mut bytes = [0x90; 16];
            bytes[16 - code.len()..].copy_from_slice(code);
            let end = bytes.as_ptr() as usize + 16;
            let call = call_before(&mut memory, end);
            match (call, expected) {
                (Some(Call::Direct(target)), Some(distance)) => {
                    assert_eq!(target, end.wrapping_add_signed(distance));
                }
                (Some(Call::Indirect), None) => {}
                // A scaled index without a base has the length of a call with a displacement.
                (None, None) if code.starts_with(b"\xff\x14\xc5") => {}
                _ => panic!("{code:x?}"),
            }
        }
        for code in [&b"\x90\x90"[..], b"\xff\xe0", b"\xff\x25\x01\x02\x03\x04", b"\xff\x14"] {
            let mut bytes = [0x90; 16];
            bytes[16 - code.len()..].copy_from_slice(code);
            assert!(call_before(&mut memory, bytes.as_ptr() as usize + 16).is_none(), "{code:x?}");
        }
    }
}
