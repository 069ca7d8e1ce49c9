//! IBM Z in 64 bits.

pub(in super::super) use super::left_to_loader::resolve;

use super::super::stubs::Entry;

/// Calls into libraries can be counted.
pub(in super::super) const IS_SUPPORTED: bool = true;

/// `R_390_JMP_SLOT` and `R_390_GLOB_DAT`.
pub(in super::super) const JUMP_SLOT: usize = 11;
pub(in super::super) const GLOB_DAT: usize = 10;

/// No symbol says anything of its function's registers.
pub(in super::super) const OTHER_REGISTERS: Option<u8> = None;

/// Addresses of functions have no other meaning.
pub(in super::super) const NO_ADDRESS: usize = 0;

/// Bytes of a stub.
pub(in super::super) const STUB: usize = 16;

/// The code of the stub at `at`, whose numbers are at `record`; the word of `entry` has the address of
/// `__gmon_library_call`. `None` if they are too far off.
///
/// ```text
/// larl %r0, record
/// lgrl %r1, entry
/// br   %r1
/// ```
pub(in super::super) fn stub(at: usize, record: usize, entry: &Entry) -> Option<[u8; STUB]> {
    let [a, b, c, d] = distance(at, record)?;
    let [e, f, g, h] = distance(at.wrapping_add(6), entry.word)?;
    Some([0xc0, 0x00, a, b, c, d, 0xc4, 0x18, e, f, g, h, 0x07, 0xf1, 0, 0])
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
        let stub = stub(0x400e0, 0x41018, &Entry { word: 0x41000, function: 0 }).unwrap();
        let code = [0xc0, 0x00, 0, 0, 0x07, 0x9c, 0xc4, 0x18, 0, 0, 0x07, 0x8d, 0x07, 0xf1, 0, 0];
        assert_eq!(stub, code);
        assert!(super::stub(0, 1 << 40, &Entry { word: 0, function: 0 }).is_none());
    }
}
