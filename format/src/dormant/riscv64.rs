//! Hooks that sleep, on 64-bit RISC-V: `auipc t0, HIGH`, and then `addi t0, t0, LOW` or, awake, `jalr t0, LOW(t0)`. The
//! first two are what `lla t0, __fentry__` is, and nobody looks at t0: a function gets nothing in it (psABI, "Integer
//! Register Convention"), and processors take it for a return address, as they do ra.
//!
//! Only the lowest byte of the second instruction changes. So each byte that a processor fetches meanwhile is that of one
//! of the two, and together they are that one, wherever the instruction lies and in however many pieces it is fetched: no
//! alignment and no extension (Ziccif) is needed for that. A processor that fetched before knows only when it executes
//! `fence.i`, which Linux has all of them do.

use super::{Code, Processor, Sleeper};

pub(super) const PROCESSOR: Processor = Processor {
    name: "riscv64",
    title: "64-bit RISC-V",
    machine: 243,
    // Without compressed instructions the room is twice as long, and half of it stays as it is.
    compiler_option: "-fpatchable-function-entry=4",
    attributes: &["patchable-function-entry=4"],
    room: &[&[1, 0, 1, 0, 1, 0, 1, 0], &[0x13, 0, 0, 0, 0x13, 0, 0, 0]],
    // lpad, with any label.
    is_landing_pad: |bytes| u32::from_le_bytes(bytes) & 0xfff == 0x17,
    hook: Sleeper { len: 8, zeros: 1, switched: 4..5, code },
    exits: None,
};

/// `auipc t0`.
const HIGH: u32 = 0x0000_0297;

/// `addi t0, t0`.
const ASLEEP: u32 = 0x0002_8293;

/// `jalr t0, (t0)`.
const AWAKE: u32 = 0x0002_82e7;

fn code(distance: i64) -> Option<[Code; 2]> {
    // The low half is a number with a sign.
    let high = i32::try_from(distance.checked_add(0x800)?).ok()? as u32 & 0xffff_f000;
    let low = (distance as u32).wrapping_sub(high);
    let [a, b, c, d] = (HIGH | high).to_le_bytes();
    Some([ASLEEP, AWAKE].map(|second| {
        let [e, f, g, h] = (second | low << 20).to_le_bytes();
        [a, b, c, d, e, f, g, h]
    }))
}
