//! RISC-V, 64 bits.

use super::{Entry, Processor, little_endian};

/// RISC-V, 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RiscV64;

impl Processor for RiscV64 {
    type Stub = [u8; 32];

    /// `R_RISCV_JUMP_SLOT`. A word with an address has the relocation of any datum.
    const JUMP_SLOT: usize = 5;
    /// Mark in a symbol's `st_other` of functions with arguments in other registers: `STO_RISCV_VARIANT_CC`.
    const OTHER_REGISTERS: Option<u8> = Some(0x80);

    /// ```text
    /// auipc t3, record
    /// addi  t3, t3, record
    /// auipc t1, entry
    /// ld    t1, entry(t1)
    /// jr    t1
    /// ```
    fn stub(at: usize, record: usize, entry: &Entry) -> Option<Self::Stub> {
        const ADDI: u32 = 0x000e_0e13;
        const LD: u32 = 0x0003_3303;
        const JR: u32 = 0x0003_0067;
        const EBREAK: u32 = 0x0010_0073;
        let (record_high, record_low) = halves(at, record)?;
        let (entry_high, entry_low) = halves(at.wrapping_add(8), entry.word)?;
        let code = [
            auipc(28, record_high),
            ADDI | record_low << 20,
            auipc(6, entry_high),
            LD | entry_low << 20,
            JR,
            EBREAK,
            EBREAK,
            EBREAK,
        ];
        Some(little_endian(code))
    }
}

/// The halves of a distance: the lower one, of 12 bits, has a sign.
fn halves(at: usize, to: usize) -> Option<(u32, u32)> {
    let distance = i32::try_from(to.wrapping_sub(at) as isize).ok()?;
    let high = distance.checked_add(0x800)? as u32 >> 12;
    Some((high, distance as u32 & 0xfff))
}

fn auipc(register: u32, high: u32) -> u32 {
    high << 12 | register << 7 | 0x17
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stubs_are_instructions() {
        // auipc t3, 0x1; addi t3, t3, -0xc8; auipc t1, 0x1; ld t1, -0xe8(t1); jr t1, at 0x400e0
        let stub = RiscV64::stub(0x400e0, 0x41018, &Entry { word: 0x41000, function: 0 }).unwrap();
        let code = [0x0000_1e17_u32, 0xf38e_0e13, 0x0000_1317, 0xf183_3303, 0x0003_0067];
        let words =
            stub.chunks_exact(4).map(|word| u32::from_le_bytes(*word.first_chunk().unwrap()));
        assert!(words.take(5).eq(code));
        assert!(RiscV64::stub(0, 1 << 40, &Entry { word: 0, function: 0 }).is_none());
    }
}
