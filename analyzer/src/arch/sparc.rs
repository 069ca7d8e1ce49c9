//! SPARC, 32 and 64 bits: `call` reaches any address. What jumps by a register is not told of.

use gmon_format::ByteOrder;

use super::code::{Call, Code, signed};

pub(super) fn calls(code: Code<'_>, tell: &mut dyn FnMut(u64, Call)) {
    for (pc, instruction) in code.words(ByteOrder::Big) {
        if instruction >> 30 == 0b01 {
            tell(pc, Call::To(code.relative(pc, 4 * signed(instruction, 30))));
        }
    }
}
