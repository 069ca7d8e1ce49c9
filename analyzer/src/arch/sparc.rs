//! SPARC, 32 and 64 bits: `call` reaches any address. Calls by a register are left out.

use std::ops::Range;

use gmon_format::{ByteOrder, FilePc};

use super::code::{Call, Code, signed};

/// A call and the instruction in its delay slot, in bytes.
const LEN: u64 = 8;

pub(super) fn calls(code: Code<'_>, tell: &mut dyn FnMut(Range<FilePc>, Call)) {
    for (pc, instruction) in code.words(ByteOrder::Big) {
        if instruction >> 30 == 0b01 {
            tell(code.span(pc, LEN), Call::To(code.relative(pc, 4 * signed(instruction, 30))));
        }
    }
}
