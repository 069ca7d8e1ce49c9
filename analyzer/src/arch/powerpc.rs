//! PowerPC, 32 and 64 bits: `BL` calls an address, `BCTRL` and `BLRL` what a register says.

use std::ops::Range;

use gmon_format::{FilePc, WordSize};

use super::code::{Call, Code, signed};

/// The length of a call, in bytes.
const LEN: u64 = 4;

const BL_MASK: u32 = 0xfc00_0003;
const BL: u32 = 0x4800_0001;
const BCTRL: u32 = 0x4e80_0421;
const BLRL: u32 = 0x4e80_0021;
/// In 64 bits a function begins with two instructions that compute where its data is; a caller that has the same
/// data enters behind them.
const PROLOGUE: i64 = 8;

pub(super) fn calls(code: Code<'_>, tell: &mut dyn FnMut(Range<FilePc>, Call)) {
    for (pc, instruction) in code.words(code.encoding.order) {
        if instruction & BL_MASK == BL {
            let target = code.relative(pc, signed(instruction & !BL_MASK, 26));
            let call = match code.encoding.word {
                WordSize::Four => Call::To(target),
                WordSize::Eight => Call::ToEither(target, code.relative(target, -PROLOGUE)),
            };
            tell(code.span(pc, LEN), call);
        } else if [BCTRL, BLRL].contains(&instruction) {
            tell(code.span(pc, LEN), Call::Indirect);
        }
    }
}
