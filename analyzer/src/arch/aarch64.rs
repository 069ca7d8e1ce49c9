//! ARM, 64 bits: `BL` is the call. `B`, which GNU gprof takes for one, too, is a jump.

use std::ops::Range;

use gmon_format::{ByteOrder, FilePc};

use super::code::{Call, Code, signed};

/// The length of a call, in bytes.
const LEN: u64 = 4;

pub(super) fn calls(code: Code<'_>, tell: &mut dyn FnMut(Range<FilePc>, Call)) {
    // Instructions are little-endian whatever the data is.
    for (pc, instruction) in code.words(ByteOrder::Little) {
        if instruction >> 26 == 0b10_0101 {
            tell(code.span(pc, LEN), Call::To(code.relative(pc, 4 * signed(instruction, 26))));
        }
    }
}
