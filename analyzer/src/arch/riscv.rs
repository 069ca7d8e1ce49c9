//! RISC-V, with and without compressed instructions: `JAL` and, with a target further away, the pair of
//! `AUIPC` and `JALR` that reaches further, which is one call. What links no return address is a jump.

use std::ops::Range;

use gmon_format::{ByteOrder, FilePc, WordSize};

use super::code::{Call, Code, halfword, signed};

const AUIPC: u32 = 0x17;
const JALR: u32 = 0x67;
const JAL: u32 = 0x6f;
const C_JAL: u32 = 0x2001;
const C_JALR: u32 = 0x9002;

pub(super) fn calls(code: Code<'_>, tell: &mut dyn FnMut(Range<FilePc>, Call)) {
    let next = |at| halfword(code.bytes, at, ByteOrder::Little);
    let mut at = 0;
    // The register that the instruction before loaded with an address, and that address.
    let mut loaded = None;
    while let Some(first) = next(at) {
        let pc = code.relative(code.address, at as i64);
        let before = loaded.take();
        if first & 3 != 3 {
            at += 2;
            let register = first >> 7 & 0x1f;
            if code.encoding.word == WordSize::Four && first & 0xe003 == C_JAL {
                tell(code.span(pc, 2), Call::To(code.relative(pc, compressed_distance(first))));
            } else if first & 0xf07f == C_JALR && register != 0 {
                let base = before.filter(|&(base, _)| base == register);
                base.into_iter().for_each(|(_, base)| {
                    tell(code.span(code.relative(pc, -4), 6), Call::To(base))
                });
            }
            continue;
        }
        let Some(second) = next(at + 2) else { return };
        at += 4;
        let instruction = second << 16 | first;
        let register = instruction >> 7 & 0x1f;
        match instruction & 0x7f {
            AUIPC => {
                let upper = i64::from((instruction & 0xffff_f000) as i32);
                loaded = Some((register, code.relative(pc, upper)));
            }
            JAL if links(register) => {
                tell(code.span(pc, 4), Call::To(code.relative(pc, distance(instruction))));
            }
            JALR if links(register) && instruction >> 12 & 7 == 0 => {
                let lower = signed(instruction >> 20, 12);
                if let Some((_, base)) =
                    before.filter(|&(base, _)| base == instruction >> 15 & 0x1f)
                {
                    tell(code.span(code.relative(pc, -4), 8), Call::To(code.relative(base, lower)));
                }
            }
            _ => {}
        }
    }
}

/// Returns `true` if a register is one of the two that return addresses are kept in.
fn links(register: u32) -> bool {
    matches!(register, 1 | 5)
}

/// The distance that `JAL` names: 21 bits, the lowest of them zero.
fn distance(instruction: u32) -> i64 {
    let bits = instruction >> 31 << 20
        | (instruction >> 12 & 0xff) << 12
        | (instruction >> 20 & 1) << 11
        | (instruction >> 21 & 0x3ff) << 1;
    signed(bits, 21)
}

/// The distance that `C.JAL` names: 12 bits, the lowest of them zero.
fn compressed_distance(instruction: u32) -> i64 {
    let bit = |from: u32, to: u32| (instruction >> from & 1) << to;
    let bits = bit(12, 11)
        | bit(11, 4)
        | (instruction >> 9 & 3) << 8
        | bit(8, 10)
        | bit(7, 6)
        | bit(6, 7)
        | (instruction >> 3 & 7) << 1
        | bit(2, 5);
    signed(bits, 12)
}
