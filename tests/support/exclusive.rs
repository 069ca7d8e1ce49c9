//! Pairs of instructions that change memory at once: a load, and a store that fails if the program stops between the two.

use gmon_format::FilePc;

/// How a processor has them.
#[derive(Clone, Copy)]
pub struct Exclusive {
    pub is_load: fn(u32) -> bool,
    pub is_store: fn(u32) -> bool,
    /// Where a conditional branch leads.
    pub branch: fn(FilePc, u32) -> Option<FilePc>,
}

impl Exclusive {
    /// Those of a processor, by rustc's name, whose emulator lets the store fail.
    pub fn of(architecture: &str) -> Option<Self> {
        Some(match architecture {
            // `ldxr` and its kin, `stxr` and its kin (Arm Architecture Reference Manual, C4.1: load/store exclusive);
            // `b.cond`, `cbz` and `cbnz`.
            "aarch64" => Self {
                is_load: |word| word & 0x3fc0_0000 == 0x0840_0000,
                is_store: |word| word & 0x3fc0_0000 == 0x0800_0000,
                branch: |pc, word| {
                    let is_one =
                        word & 0xff00_0010 == 0x5400_0000 || word & 0x7e00_0000 == 0x3400_0000;
                    is_one.then(|| at(pc, i64::from((word << 8) as i32 >> 13) * 4))
                },
            },
            // `ll` and `lld`, `sc` and `scd`. The branch that begins again stands behind.
            "mips64" => Self {
                is_load: |word| [0x30, 0x34].contains(&(word >> 26)),
                is_store: |word| [0x38, 0x3c].contains(&(word >> 26)),
                branch: |_, _| None,
            },
            // `lwarx` and `ldarx`, `stwcx.` and `stdcx.`; `bc`.
            "powerpc64" => Self {
                is_load: |word| [0x7c00_0028, 0x7c00_00a8].contains(&(word & 0xfc00_07fe)),
                is_store: |word| [0x7c00_012d, 0x7c00_01ad].contains(&(word & 0xfc00_07ff)),
                branch: |pc, word| {
                    let is_one = word & 0xfc00_0003 == 0x4000_0000;
                    is_one.then(|| at(pc, i64::from((word & 0xfffc) as u16 as i16)))
                },
            },
            _ => return None,
        })
    }
}

fn at(FilePc(pc): FilePc, distance: i64) -> FilePc {
    FilePc(pc.wrapping_add_signed(distance))
}
