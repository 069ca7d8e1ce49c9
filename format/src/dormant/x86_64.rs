//! Hooks that sleep, on x86-64: one instruction of five bytes, a call of `__fentry__` or, asleep, a test of `%eax`
//! against a number, whose result nobody looks at, since no function gets anything in the flags. Both end in the same
//! four bytes, the distance to `__fentry__`, so that one byte is all that changes.
//!
//! Exits are `ret`, with four bytes behind it that nobody comes to: the distance of the jump that a byte makes of it. They are
//! made of such jumps, or, with a clang that cannot make these, of XRay's sleds.

use super::{Code, Exits, Processor, RETURN, Sleeper, Way, XRAY, XRAY_SIGN};

pub(super) const PROCESSOR: Processor = Processor {
    name: "x86_64",
    title: "x86-64",
    machine: 62,
    compiler_option: "-fpatchable-function-entry=5",
    attributes: &["patchable-function-entry=5", "fn_ret_thunk_extern"],
    // Five times `nop` by gcc, one `nopl` by clang.
    room: &[&[0x90; LEN], &[0x0f, 0x1f, 0x44, 0x00]],
    // endbr64
    is_landing_pad: |bytes| bytes == [0xf3, 0x0f, 0x1e, 0xfa],
    hook: Sleeper { code: |distance| code(HOOK, distance), ..FORM },
    exits: Some(Exits {
        compilers: "gcc 8, clang 12, a stable rustc or newer, without gcc's -mcmodel=large and a -mfunction-return of your own",
        ways: &[
            Way { compiler_options: &["-mfunction-return=thunk-extern"], sign: RETURN, room: &[] },
            // `ret`, and a `nop` of ten bytes with a number that no other has.
            Way {
                compiler_options: XRAY,
                sign: XRAY_SIGN,
                room: &[0xc3, 0x2e, 0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x02, 0x00, 0x00],
            },
        ],
        exit: Sleeper { code: |distance| code(EXIT, distance), ..FORM },
    }),
};

const LEN: usize = 5;

/// A byte, asleep and awake, and a distance.
const FORM: Sleeper = Sleeper { len: LEN, zeros: 0, switched: 0..1, code: |_| None };

/// `test $NUMBER, %eax` and `call`.
const HOOK: [u8; 2] = [0xa9, 0xe8];

/// `ret` and `jmp`.
const EXIT: [u8; 2] = [0xc3, 0xe9];

fn code(firsts: [u8; 2], distance: i64) -> Option<[Code; 2]> {
    // From the end of the instruction.
    let distance = distance.checked_sub(LEN as i64)?;
    let [a, b, c, d] = i32::try_from(distance).ok()?.to_le_bytes();
    Some(firsts.map(|first| [first, a, b, c, d, 0, 0, 0]))
}
