//! MIPS, in instructions of four bytes: `JAL` and `BAL` call an address, `JALR` what a register
//! says. Code in the compressed sets, MIPS16 and microMIPS, is mistaken for this one.

use std::ops::Range;

use gmon_format::FilePc;

use super::code::{Call, Code, signed};

/// A call and the instruction in its delay slot, in bytes.
const LEN: u64 = 8;

const JAL: u32 = 3;
/// `JALR`, and `JALR.HB`, with the fields that must be zero.
const JALR: u32 = 0x09;
const JALR_MASK: u32 = 0xfc1f_003f;
/// `BGEZAL` of the register that is always zero.
const BAL: u32 = 0x0411;

pub(super) fn calls(code: Code<'_>, tell: &mut dyn FnMut(Range<FilePc>, Call)) {
    for (pc, instruction) in code.words(code.encoding.order) {
        // Distances count from the instruction that is executed before the call takes effect.
        let next = code.relative(pc, 4);
        if instruction >> 26 == JAL {
            // Within a region of 256 MB.
            let offset = u64::from(instruction << 6 >> 4);
            tell(code.span(pc, LEN), Call::To(FilePc(next.0 & !0x0fff_ffff | offset)));
        } else if instruction >> 16 == BAL {
            tell(code.span(pc, LEN), Call::To(code.relative(next, 4 * signed(instruction, 16))));
        } else if instruction & JALR_MASK == JALR {
            tell(code.span(pc, LEN), Call::Indirect);
        }
    }
}
