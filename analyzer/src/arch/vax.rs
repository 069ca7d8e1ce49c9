//! VAX: `CALLS` with the number of arguments and an address relative to the program counter, or
//! one that a register or memory says.
//!
//! Instructions have any length, so every byte is tried. A byte that only looks like a call does no
//! harm: its operands would have to look like those of one, too, and lead to a function.

use std::ops::Range;

use gmon_format::{ByteOrder, FilePc};

use super::code::{Call, Code, halfword, signed};

const CALLS: u8 = 0xfb;
/// Addressing modes, the upper half of an operand's first byte.
const DEFERRED: u8 = 0x6;
const ABSOLUTE: u8 = 0x9;
const BYTE_RELATIVE: u8 = 0xa;
const BYTE_RELATIVE_DEFERRED: u8 = 0xb;
const WORD_RELATIVE: u8 = 0xc;
const WORD_RELATIVE_DEFERRED: u8 = 0xd;
const LONG_RELATIVE: u8 = 0xe;
/// The register that is the program counter.
const PC: u8 = 0xf;

pub(super) fn calls(code: Code<'_>, tell: &mut dyn FnMut(Range<FilePc>, Call)) {
    for (at, _) in code.bytes.iter().enumerate().filter(|&(_, &byte)| byte == CALLS) {
        if let Some((len, call)) = call(code, at + 1) {
            let pc = code.relative(code.address, at as i64);
            tell(code.span(pc, len), call);
        }
    }
}

/// Target and length of a call whose operands lie `at` bytes into the code.
fn call(code: Code<'_>, at: usize) -> Option<(u64, Call)> {
    let operands = &code.bytes[at..];
    // The number of arguments: a number below 64, or a long one.
    let count = match operands.first()? {
        0x00..=0x3f => 1,
        0x8f => 5,
        _ => return None,
    };
    let &mode = operands.get(count)?;
    let target = operands.get(count + 1..)?;
    let long = |target| {
        let half = |at| halfword(target, at, ByteOrder::Little);
        Some(half(2)? << 16 | half(0)?)
    };
    let len = match (mode >> 4, mode & 0xf) {
        (BYTE_RELATIVE | BYTE_RELATIVE_DEFERRED, _) => 1,
        (WORD_RELATIVE | WORD_RELATIVE_DEFERRED, _) => 2,
        (ABSOLUTE, PC) | (LONG_RELATIVE.., _) => 4,
        _ => 0,
    };
    let operands = count + 1 + len;
    let next = |distance| Call::To(code.relative(code.address, (at + operands) as i64 + distance));
    let call = match (mode >> 4, mode & 0xf) {
        (BYTE_RELATIVE, PC) => next(i64::from(*target.first()? as i8)),
        (WORD_RELATIVE, PC) => next(signed(halfword(target, 0, ByteOrder::Little)?, 16)),
        (LONG_RELATIVE, PC) => next(signed(long(target)?, 32)),
        (ABSOLUTE, PC) => Call::To(FilePc(long(target)?.into())),
        (DEFERRED.., _) => Call::Indirect,
        _ => return None,
    };
    Some((1 + operands as u64, call))
}
