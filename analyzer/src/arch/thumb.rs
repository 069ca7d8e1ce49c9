//! ARM, 32 bits, in instructions of two or four bytes: `BL`, and `BLX`, which enters ARM code.

use std::ops::Range;

use gmon_format::FilePc;
use gmon_format::thumb::distance;

use super::code::{Call, Code, halfword};

/// The length of a call, in bytes.
const LEN: u64 = 4;

/// Bytes from an instruction to the program counter that it reads.
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
        tell(
            code.span(pc, LEN),
            Call::To(code.relative(base, AHEAD + i64::from(distance(first, second)))),
        );
    }
}
