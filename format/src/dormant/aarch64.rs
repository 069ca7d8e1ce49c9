//! Hooks that sleep, on AArch64: `mov x17, x30`, which keeps the return address where calls may leave anything (AAPCS64,
//! 6.1.1), and then `nop` or, awake, `bl __fentry__`.
//!
//! NOP and BL are among the instructions that may take each other's place while others execute them, without a word to
//! these: a processor executes the one or the other (Arm Architecture Reference Manual, B2.2.5, "Concurrent modification
//! and execution of instructions"). BL reaches 128 MB.

use super::{Code, Processor};

pub(super) const PROCESSOR: Processor = Processor {
    name: "aarch64",
    title: "AArch64",
    machine: 183,
    compiler_option: "-fpatchable-function-entry=2",
    attributes: &["patchable-function-entry=2"],
    room: &[&[0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20, 0x03, 0xd5]],
    len: 8,
    switched: 4..8,
    // bti, with what it lets come there, such as c.
    is_landing_pad: |bytes| u32::from_le_bytes(bytes) & !0xc0 == 0xd503_241f,
    exits: None,
    code,
};

/// `mov x17, x30`.
const KEEP: u32 = 0xaa1e_03f1;

/// `nop`.
const ASLEEP: u32 = 0xd503_201f;

/// `bl`, without its distance: 26 bits, in words.
const AWAKE: u32 = 0x9400_0000;

fn code(distance: i64) -> Option<[Code; 2]> {
    const REACH: i64 = 1 << 27;
    // From the second instruction.
    let distance = distance.checked_sub(4)?;
    let reaches = (-REACH..REACH).contains(&distance) && distance % 4 == 0;
    let words = (distance / 4) as u32 & 0x03ff_ffff;
    let [a, b, c, d] = KEEP.to_le_bytes();
    let with = |second: u32| {
        let [e, f, g, h] = second.to_le_bytes();
        [a, b, c, d, e, f, g, h]
    };
    reaches.then(|| [with(ASLEEP), with(AWAKE | words)])
}
