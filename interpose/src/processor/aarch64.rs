//! AArch64.

use libc::c_ulong;

use super::{Entry, Processor, little_endian};

/// AArch64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aarch64;

impl Processor for Aarch64 {
    type Stub = [u8; 32];

    /// `R_AARCH64_JUMP_SLOT` and `R_AARCH64_GLOB_DAT`.
    const JUMP_SLOT: usize = 1026;
    const GLOB_DAT: usize = 1025;
    /// Mark in a symbol's `st_other` of functions with arguments in other registers: `STO_AARCH64_VARIANT_PCS`.
    const OTHER_REGISTERS: Option<u8> = Some(0x80);

    /// ```text
    /// bti  c
    /// adrp x16, record
    /// add  x16, x16, :lo12:record
    /// adrp x17, entry
    /// ldr  x17, [x17, :lo12:entry]
    /// br   x17
    /// ```
    fn stub(at: usize, record: usize, entry: &Entry) -> Option<Self::Stub> {
        const BTI_C: u32 = 0xd503_245f;
        const ADD: u32 = 0x9100_0210;
        const LDR: u32 = 0xf940_0231;
        const BR: u32 = 0xd61f_0220;
        const BRK: u32 = 0xd420_0020;
        let low = |address: usize| (address & 0xfff) as u32;
        let code = [
            BTI_C,
            adrp(16, at.wrapping_add(4), record)?,
            ADD | low(record) << 10,
            adrp(17, at.wrapping_add(12), entry.word)?,
            LDR | (low(entry.word) / 8) << 10,
            BR,
            BRK,
            BRK,
        ];
        Some(little_endian(code))
    }

    unsafe fn resolve(
        resolver: usize,
        auxiliary: &dyn Fn(c_ulong) -> Option<c_ulong>,
    ) -> Option<usize> {
        /// Says that there is a second argument, `_IFUNC_ARG_HWCAP`.
        const HAS_MORE: u64 = 1 << 62;
        #[allow(clippy::unnecessary_cast, reason = "a word has 32 bits on other processors")]
        let value = |key| auxiliary(key).unwrap_or(0) as u64;
        let first = value(libc::AT_HWCAP);
        let more = [size_of::<[u64; 3]>() as u64, first, value(libc::AT_HWCAP2)];
        // SAFETY: such a function has this type on this processor, as the caller promises.
        let resolver: extern "C" fn(u64, &[u64; 3]) -> usize =
            unsafe { core::mem::transmute(resolver) };
        Some(resolver(first | HAS_MORE, &more)).filter(|target| *target != 0)
    }
}

/// `adrp`, which makes the address of a page.
fn adrp(register: u32, at: usize, to: usize) -> Option<u32> {
    const PAGE_BITS: u32 = 12;
    const MOST: isize = 1 << 20;
    let pages = ((to >> PAGE_BITS) as isize).wrapping_sub((at >> PAGE_BITS) as isize);
    let number = pages as u32;
    let is_near = (-MOST..MOST).contains(&pages);
    is_near.then_some(0x9000_0000 | (number & 3) << 29 | (number >> 2 & 0x7_ffff) << 5 | register)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stubs_are_instructions() {
        // adrp x16, 0x41000; add x16, x16, #0x18; adrp x17, 0x41000; ldr x17, [x17]; br x17, at 0x400e0
        let stub = Aarch64::stub(0x400e0, 0x41018, &Entry { word: 0x41000, function: 0 }).unwrap();
        let code =
            [0xd503_245f_u32, 0xb000_0010, 0x9100_6210, 0xb000_0011, 0xf940_0231, 0xd61f_0220];
        let words =
            stub.chunks_exact(4).map(|word| u32::from_le_bytes(*word.first_chunk().unwrap()));
        assert!(words.take(6).eq(code));
        assert!(Aarch64::stub(0, 1 << 40, &Entry { word: 0, function: 0 }).is_none());
    }
}
