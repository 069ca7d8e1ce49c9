//! What x86 of both widths have in common.

use super::super::memory::Memory;
use super::{Call, Record};

const WORD: usize = size_of::<usize>();

/// `push %rbp; mov %rsp, %rbp`, behind the return address.
pub(super) const RECORDS: &[Record] =
    &[Record { frame_pointer: 0, return_address: WORD as isize, end: 2 * WORD, ends_frame: true }];

/// The call that returns to an address, if there is one before it.
pub(super) fn call_before(memory: &mut Memory, address: usize) -> Option<Call> {
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
