//! 64-bit PowerPC, little-endian, ELFv2.

use super::{Entry, Processor, little_endian};

/// 64-bit PowerPC, little-endian, ELFv2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PowerPc64;

impl Processor for PowerPc64 {
    type Stub = [u8; 32];

    /// `R_PPC64_JMP_SLOT`. A word with an address has the relocation of any datum.
    const JUMP_SLOT: usize = 21;

    /// Whoever comes to a function from elsewhere has its address in `r12`.
    ///
    /// ```text
    /// addis r11, r12, record
    /// addi  r11, r11, record
    /// addis r12, r12, entry
    /// ld    r12, entry(r12)
    /// mtctr r12
    /// bctr
    /// ```
    fn stub(at: usize, record: usize, entry: &Entry) -> Option<Self::Stub> {
        const ADDIS_R11: u32 = 0x3d6c_0000;
        const ADDI_R11: u32 = 0x396b_0000;
        const ADDIS_R12: u32 = 0x3d8c_0000;
        const LD_R12: u32 = 0xe98c_0000;
        const MTCTR_R12: u32 = 0x7d89_03a6;
        const BCTR: u32 = 0x4e80_0420;
        const TRAP: u32 = 0x7fe0_0008;
        let (record_high, record_low) = halves(at, record)?;
        let (entry_high, entry_low) = halves(at, entry.word)?;
        let code = [
            ADDIS_R11 | record_high,
            ADDI_R11 | record_low,
            ADDIS_R12 | entry_high,
            LD_R12 | entry_low,
            MTCTR_R12,
            BCTR,
            TRAP,
            TRAP,
        ];
        Some(little_endian(code))
    }
}

/// The halves of a distance, the lower one of which has a sign.
fn halves(at: usize, to: usize) -> Option<(u32, u32)> {
    let distance = i32::try_from(to.wrapping_sub(at) as isize).ok()?;
    let high = distance.checked_add(0x8000)? as u32 >> 16;
    Some((high, distance as u32 & 0xffff))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stubs_are_instructions() {
        // addis r11, r12, 1; addi r11, r11, -0x70e8; addis r12, r12, 1; ld r12, -0x7100(r12); mtctr r12; bctr
        let stub =
            PowerPc64::stub(0x40100, 0x49018, &Entry { word: 0x49000, function: 0 }).unwrap();
        let code =
            [0x3d6c_0001_u32, 0x396b_8f18, 0x3d8c_0001, 0xe98c_8f00, 0x7d89_03a6, 0x4e80_0420];
        let words =
            stub.chunks_exact(4).map(|word| u32::from_le_bytes(*word.first_chunk().unwrap()));
        assert!(words.take(6).eq(code));
        assert!(PowerPc64::stub(0, 1 << 40, &Entry { word: 0, function: 0 }).is_none());
    }
}
