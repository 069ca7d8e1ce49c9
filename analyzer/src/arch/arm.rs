//! ARM, 32 bits, in instructions of four bytes: `BL`, and `BLX`, which enters Thumb code.

use std::ops::Range;

use gmon_format::FilePc;

use super::code::{Call, Code, signed};

/// The length of a call, in bytes.
const LEN: u64 = 4;

/// Bytes from an instruction to the program counter that it reads.
const AHEAD: i64 = 8;

pub(super) fn calls(code: Code<'_>, tell: &mut dyn FnMut(Range<FilePc>, Call)) {
    for (pc, instruction) in code.words(code.encoding.order) {
        let distance = AHEAD + 4 * signed(instruction, 24);
        let always = instruction >> 28 == 0b1111;
        match instruction >> 24 & 0xf {
            0xb if !always => tell(code.span(pc, LEN), Call::To(code.relative(pc, distance))),
            // The lowest bit chooses the half of a word.
            half @ (0xa | 0xb) if always => {
                tell(
                    code.span(pc, LEN),
                    Call::To(code.relative(pc, distance + 2 * i64::from(half & 1))),
                );
            }
            _ => {}
        }
    }
}
