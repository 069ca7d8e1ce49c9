//! ARM, 32 bits, in instructions of two or four bytes: `BL`, and `BLX`, which enters ARM code.

use std::ops::Range;

use gmon_format::FilePc;

use super::code::{Call, Code, halfword, signed};

/// The length of a call, in bytes.
const LEN: u64 = 4;

/// How far ahead of an instruction the program counter is that it reads.
const AHEAD: i64 = 4;

pub(super) fn calls(code: Code<'_>, tell: &mut dyn FnMut(Range<FilePc>, Call)) {
    let next = |at| halfword(code.bytes, at, code.encoding.order);
    let mut at = 0;
    while let Some(first) = next(at) {
        let pc = code.relative(code.address, at as i64);
        // All others have two bytes.
        let is_long = first >> 11 >= 0b1_1101;
        at += if is_long { 4 } else { 2 };
        if first >> 11 != 0b1_1110 {
            continue;
        }
        let Some(second) = next(at - 2) else { return };
        // `BL`, and `BLX` to a multiple of four.
        let base = match second >> 12 & 0b1101 {
            0b1101 => pc,
            0b1100 if second & 1 == 0 => FilePc(pc.0 & !3),
            _ => continue,
        };
        tell(code.span(pc, LEN), Call::To(code.relative(base, AHEAD + distance(first, second))));
    }
}

/// The distance to the target, in 25 bits: the upper ones and the sign in the first halfword.
fn distance(first: u32, second: u32) -> i64 {
    let sign = first >> 10 & 1;
    let upper = |bit: u32| (second >> bit & 1) ^ sign ^ 1;
    let bits = sign << 24
        | upper(13) << 23
        | upper(11) << 22
        | (first & 0x3ff) << 12
        | (second & 0x7ff) << 1;
    signed(bits, 25)
}
