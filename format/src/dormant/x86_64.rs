//! Hooks that sleep, on x86-64: one instruction of five bytes, a call of `__fentry__` or, asleep, a test of `%eax`
//! against a number, whose result nobody looks at, since no function gets anything in the flags. Both end in the same
//! four bytes, the distance to `__fentry__`, so that one byte is all that changes.

use super::{Code, Exits, Processor};

pub(super) const PROCESSOR: Processor = Processor {
    name: "x86_64",
    title: "x86-64",
    machine: 62,
    compiler_option: "-fpatchable-function-entry=5",
    attributes: &["patchable-function-entry=5", "fn_ret_thunk_extern"],
    // Five times `nop` by gcc, one `nopl` by clang.
    room: &[&[0x90; LEN], &[0x0f, 0x1f, 0x44, 0x00]],
    len: LEN,
    switched: 0..1,
    // endbr64
    is_landing_pad: |bytes| bytes == [0xf3, 0x0f, 0x1e, 0xfa],
    exits: Some(Exits {
        compiler_option: "-mfunction-return=thunk-extern",
        asleep: 0xc3,
        awake: 0xe9,
    }),
    code,
};

const LEN: usize = 5;

/// `test $NUMBER, %eax`.
const ASLEEP: u8 = 0xa9;

/// `call`.
const AWAKE: u8 = 0xe8;

fn code(distance: i64) -> Option<[Code; 2]> {
    // From the end of the instruction.
    let distance = distance.checked_sub(LEN as i64)?;
    let [a, b, c, d] = i32::try_from(distance).ok()?.to_le_bytes();
    Some([ASLEEP, AWAKE].map(|first| [first, a, b, c, d, 0, 0, 0]))
}
