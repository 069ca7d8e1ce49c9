//! Hooks that sleep, on AArch64: `mov x17, x30`, which keeps the return address where calls may leave anything (AAPCS64,
//! 6.1.1), and then `nop` or, awake, `bl __fentry__`.
//!
//! NOP and BL are among the instructions that may take each other's place while others execute them, without a word to
//! these: a processor executes the one or the other (Arm Architecture Reference Manual, B2.2.5, "Concurrent modification
//! and execution of instructions"). BL reaches 128 MB.
//!
//! Exits are made of the sleds that clang's XRay leaves: `b`, over seven times `nop`, to a `ret`. Awake, it leads to what takes
//! the time. B may take the place of B as well. Behind it stands one that nobody comes to, by which exits are known. Sleds
//! before tail calls stay as they are, as do those before returns that check a signature.

use super::{Code, Exits, Processor, Sleeper, Way, XRAY, XRAY_SIGN};

pub(super) const PROCESSOR: Processor = Processor {
    name: "aarch64",
    title: "AArch64",
    machine: 183,
    compiler_option: "-fpatchable-function-entry=2",
    attributes: &[
        "patchable-function-entry=2",
        "function-instrument=xray-always",
        "xray-skip-entry=true",
    ],
    room: &[&[0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20, 0x03, 0xd5]],
    // bti, with what it lets come there, such as c.
    is_landing_pad: |bytes| u32::from_le_bytes(bytes) & !0xc0 == 0xd503_241f,
    hook: Sleeper { len: 8, zeros: 3, switched: 4..8, code: hook },
    exits: Some(Exits {
        compilers: "clang 12, a stable rustc or newer",
        ways: &[Way { compiler_options: XRAY, sign: XRAY_SIGN, room: &ROOM }],
        exit: Sleeper { len: 8, zeros: 3, switched: 0..4, code: exit },
    }),
};

/// `mov x17, x30`.
const KEEP: u32 = 0xaa1e_03f1;
const NOP: u32 = 0xd503_201f;
/// `bl` and `b`, without their distance: 26 bits, in words.
const BL: u32 = 0x9400_0000;
const B: u32 = 0x1400_0000;
/// `b .+32`.
const SKIP: u32 = B | 8;
const RET: u32 = 0xd65f_03c0;

/// A sled before a return.
const ROOM: [u8; 36] = {
    const WORDS: [u32; 9] = [SKIP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, RET];
    let mut bytes = [0; 36];
    let mut at = 0;
    while at < bytes.len() {
        bytes[at] = WORDS[at / 4].to_le_bytes()[at % 4];
        at += 1;
    }
    bytes
};

fn hook(distance: i64) -> Option<[Code; 2]> {
    let call = BL | words(distance.checked_sub(4)?)?;
    Some([code(KEEP, NOP), code(KEEP, call)])
}

fn exit(distance: i64) -> Option<[Code; 2]> {
    let [jump, next] = [B | words(distance)?, B | words(distance.checked_sub(4)?)?];
    Some([code(SKIP, next), code(jump, next)])
}

/// A distance as branches have it.
fn words(distance: i64) -> Option<u32> {
    const REACH: i64 = 1 << 27;
    let reaches = (-REACH..REACH).contains(&distance) && distance % 4 == 0;
    reaches.then_some((distance / 4) as u32 & 0x03ff_ffff)
}

fn code(first: u32, second: u32) -> Code {
    (u64::from(second) << 32 | u64::from(first)).to_le_bytes()
}
