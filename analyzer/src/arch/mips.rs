//! MIPS, in instructions of four bytes: `JAL` and `BAL` call an address, `JALR` what a register
//! says. Code in the compressed sets, MIPS16 and microMIPS, is mistaken for this one.
//!
//! Position-independent code loads a register with the function's address first, from a table that `$28` points into.
//! What does so right before a call is a part of the call, also where the linker has made a `BAL` of it.

use std::ops::Range;

use gmon_format::FilePc;

use super::code::{Call, Code, signed};

/// A call and the instruction in its delay slot, in bytes.
const LEN: i64 = 8;

const JAL: u32 = 3;
/// `JALR`, and `JALR.HB`, with the fields that must be zero.
const JALR: u32 = 0x09;
const JALR_MASK: u32 = 0xfc1f_003f;
/// `BGEZAL` of the register that is always zero.
const BAL: u32 = 0x0411;
/// `LW` and `LD` from so far behind where `$28` points.
const LOADS: [u32; 2] = [0x23, 0x37];
const TABLE: u32 = 28;
/// `ADDU`, `OR` and `DADDU`, which are `MOVE` with a register that is always zero.
const MOVES: [u32; 3] = [0x21, 0x25, 0x2d];
/// The register of the called function.
const CALLED: u32 = 25;

/// A register that was loaded from a place of the table.
#[derive(Clone, Copy)]
struct Loaded {
    slot: i16,
    /// The code that did so; empty if other code stands in between.
    code: (FilePc, FilePc),
}

pub(super) fn calls(code: Code<'_>, tell: &mut dyn FnMut(Range<FilePc>, Call)) {
    let mut registers: [Option<Loaded>; 32] = [None; 32];
    for (pc, instruction) in code.words(code.encoding.order) {
        // Distances count from the instruction that is executed before the call takes effect.
        let next = code.relative(pc, 4);
        let source = field(instruction, 21);
        let (call, register) = if instruction >> 26 == JAL {
            // Within a region of 256 MB.
            let offset = u64::from(instruction << 6 >> 4);
            (Call::To(FilePc(next.0 & !0x0fff_ffff | offset)), CALLED)
        } else if instruction >> 16 == BAL {
            (Call::To(code.relative(next, 4 * signed(instruction, 16))), CALLED)
        } else if instruction & JALR_MASK == JALR {
            let loaded = registers[source as usize];
            (loaded.map_or(Call::Indirect, |loaded| Call::Slot(loaded.slot)), source)
        } else {
            if let Some(register) = changed(instruction) {
                registers[register as usize] = if is_load(instruction) {
                    Some(Loaded { slot: instruction as u16 as i16, code: (pc, next) })
                } else if is_move(instruction) {
                    registers[source as usize].map(|Loaded { slot, code: (start, end) }| {
                        let start = if end == pc { start } else { pc };
                        Loaded { slot, code: (start, next) }
                    })
                } else {
                    None
                };
            }
            continue;
        };
        let loaded = registers[register as usize].filter(|loaded| loaded.code.1 == pc);
        let start = loaded.map_or(pc, |loaded| loaded.code.0);
        registers = [None; 32];
        tell(start..code.relative(pc, LEN), call);
    }
}

fn field(instruction: u32, at: u32) -> u32 {
    instruction >> at & 0x1f
}

fn is_load(instruction: u32) -> bool {
    LOADS.contains(&(instruction >> 26)) && field(instruction, 21) == TABLE
}

fn is_move(instruction: u32) -> bool {
    instruction >> 26 == 0 && MOVES.contains(&(instruction & 0x3f)) && field(instruction, 16) == 0
}

/// The general register that an instruction computes or loads, of those that compilers use.
fn changed(instruction: u32) -> Option<u32> {
    match instruction >> 26 {
        // SPECIAL, whose result is in one field, and those with a number of 16 bits, in another.
        0 => Some(field(instruction, 11)),
        0x08..=0x0f | 0x18..=0x1b | 0x20..=0x27 | 0x37 => Some(field(instruction, 16)),
        _ => None,
    }
}
