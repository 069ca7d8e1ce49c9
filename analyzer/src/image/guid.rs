//! The number by which LLVM knows a function: the lower half of the MD5 of its name.

/// The number of the function of this name.
pub(super) fn guid(name: &[u8]) -> u64 {
    let md5::Digest(sum) = md5::compute(name);
    u128::from_le_bytes(sum) as u64
}

#[test]
fn numbers_are_those_of_llvm() {
    assert_eq!(guid(b"main"), 0xdb95_6436_e78d_d5fa);
    assert_eq!(guid(b"foo"), 6_699_318_081_062_747_564);
    // RFC 1321 has the sums of these: of none, one and two blocks.
    assert_eq!(guid(b""), 0x04b2_008f_d98c_1dd4);
    assert_eq!(guid(&b"1234567890".repeat(8)), 0x55c9_e32b_a2f4_ed57);
}
