//! Records and calls of x86 of both widths.

use super::{Call, Record};
use crate::memory::Memory;
use crate::word::Word;

/// `push %rbp; mov %rsp, %rbp`, behind the return address.
pub(super) const fn record<W: Word>() -> Record {
    let word = W::SIZE;
    Record { frame_pointer: 0, return_address: word as isize, end: 2 * word, ends_frame: true }
}

/// The call that returns to an address, if there is one before it.
pub(super) fn call_before<W: Word>(memory: &mut impl Memory, address: W) -> Option<Call<W>> {
    let before: [u8; 7] = memory.bytes(address.get().checked_sub(7)?)?;
    let [b7, b6, b5, b4, b3, b2, b1] = before;
    if b5 == 0xe8 {
        let distance = i32::from_le_bytes([b4, b3, b2, b1]);
        return Some(Call::Direct(address.moved(distance as isize)));
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
    use super::super::testing::assert_call;
    use crate::{X86, X86_64};

    #[test]
    fn calls_are_known_by_their_bytes() {
        for (code, expected) in [
            (&b"\xe8\x10\0\0\0"[..], Some(Some(0x10))),
            (b"\xe8\xf0\xff\xff\xff", Some(Some(-0x10))),
            (b"\xff\xd0", Some(None)),
            (b"\x41\xff\xd7", Some(None)),
            (b"\xff\x10", Some(None)),
            (b"\xff\x50\x08", Some(None)),
            (b"\xff\x54\x24\x08", Some(None)),
            (b"\xff\x14\x03", Some(None)),
            (b"\xff\x15\x01\x02\x03\x04", Some(None)),
            (b"\xff\x90\x01\x02\x03\x04", Some(None)),
            (b"\xff\x94\x24\x01\x02\x03\x04", Some(None)),
            // A scaled index without a base has the length of a call with a displacement, which is not looked for.
            (b"\xff\x14\xc5\0\0\0\0", None),
            (b"\x90\x90", None),
            (b"\xff\xe0", None),
            (b"\xff\x25\x01\x02\x03\x04", None),
            (b"\xff\x14", None),
        ] {
            let mut bytes = [0x90; 16];
            bytes[16 - code.len()..].copy_from_slice(code);
            assert_call::<X86_64>(&bytes, expected, &code);
            assert_call::<X86>(&bytes, expected, &code);
        }
    }
}
