//! IBM Z and its forerunners: `BRASL` and `BRAS` call an address, `BASR` what a register says. A call is one that leaves
//! the return address in `%r14`.

use std::ops::Range;

use gmon_format::{ByteOrder, FilePc};

use super::code::{Call, Code, halfword, signed};

pub(super) fn calls(code: Code<'_>, tell: &mut dyn FnMut(Range<FilePc>, Call)) {
    const ORDER: ByteOrder = ByteOrder::Big;
    let mut at = 0;
    while let Some(first) = halfword(code.bytes, at, ORDER) {
        let pc = code.relative(code.address, at as i64);
        // The first two bits tell the length of an instruction.
        let len = match first >> 14 {
            0 => 2,
            1 | 2 => 4,
            _ => 6,
        };
        let rest = [2, 4].map(|distance| halfword(code.bytes, at + distance, ORDER));
        let call = match (first, rest) {
            (0xc0e5, [Some(high), Some(low)]) => {
                Some(Call::To(code.relative(pc, 2 * signed(high << 16 | low, 32))))
            }
            (0xa7e5, [Some(distance), _]) => {
                Some(Call::To(code.relative(pc, 2 * signed(distance, 16))))
            }
            (0x0de1..=0x0def, _) => Some(Call::Indirect),
            _ => None,
        };
        if let Some(call) = call {
            tell(code.span(pc, len as u64), call);
        }
        at += len;
    }
}
