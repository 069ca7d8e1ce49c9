//! DEC Alpha: `BSR` calls an address, `JSR` what a register says.

use std::ops::Range;

use gmon_format::{ByteOrder, FilePc};

use super::code::{Call, Code, signed};

/// The length of a call, in bytes.
const LEN: u64 = 4;

const BSR: u32 = 0x34;
const JUMP: u32 = 0x1a;
/// Value of bits 14 and 15 of a jump that is a call.
const TO_SUBROUTINE: u32 = 1;
/// A function begins with two instructions that load the global pointer; a caller that has the same
/// one enters behind them.
const PROLOGUE: i64 = 8;

pub(super) fn calls(code: Code<'_>, tell: &mut dyn FnMut(Range<FilePc>, Call)) {
    for (pc, instruction) in code.words(ByteOrder::Little) {
        match instruction >> 26 {
            BSR => {
                let target = code.relative(pc, 4 + 4 * signed(instruction, 21));
                tell(code.span(pc, LEN), Call::ToEither(target, code.relative(target, -PROLOGUE)));
            }
            JUMP if instruction >> 14 & 3 == TO_SUBROUTINE => {
                tell(code.span(pc, LEN), Call::Indirect)
            }
            _ => {}
        }
    }
}
