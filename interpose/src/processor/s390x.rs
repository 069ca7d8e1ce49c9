//! IBM Z in 64 bits.

use super::{Entry, Processor};

/// IBM Z in 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct S390x;

impl Processor for S390x {
    type Stub = [u8; 16];

    /// `R_390_JMP_SLOT` and `R_390_GLOB_DAT`.
    const JUMP_SLOT: usize = 11;
    const GLOB_DAT: usize = 10;

    /// ```text
    /// larl %r0, record
    /// lgrl %r1, entry
    /// br   %r1
    /// ```
    fn stub(at: usize, record: usize, entry: &Entry) -> Option<Self::Stub> {
        let [a, b, c, d] = distance(at, record)?;
        let [e, f, g, h] = distance(at.wrapping_add(6), entry.word)?;
        Some([0xc0, 0x00, a, b, c, d, 0xc4, 0x18, e, f, g, h, 0x07, 0xf1, 0, 0])
    }
}

/// A distance in units of two bytes.
fn distance(at: usize, to: usize) -> Option<[u8; 4]> {
    let bytes = to.wrapping_sub(at) as isize;
    i32::try_from(bytes / 2).ok().filter(|_| bytes % 2 == 0).map(i32::to_be_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stubs_are_instructions() {
        // larl %r0, .+0xf38; lgrl %r1, .+0xf1a; br %r1, at 0x400e0
        let stub = S390x::stub(0x400e0, 0x41018, &Entry { word: 0x41000, function: 0 }).unwrap();
        let code = [0xc0, 0x00, 0, 0, 0x07, 0x9c, 0xc4, 0x18, 0, 0, 0x07, 0x8d, 0x07, 0xf1, 0, 0];
        assert_eq!(stub, code);
        assert!(S390x::stub(0, 1 << 40, &Entry { word: 0, function: 0 }).is_none());
    }
}
