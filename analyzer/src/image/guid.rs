//! The number by which LLVM knows a function: the lower half of the MD5 of its name (RFC 1321).

use std::sync::LazyLock;

/// The bits by which each step rotates, by round and step in turn.
const ROTATIONS: [[u32; 4]; 4] =
    [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// Fractions of sines, which each step adds.
static SINES: LazyLock<[u32; 64]> = LazyLock::new(|| {
    std::array::from_fn(|step| ((step as f64 + 1.0).sin().abs() * 4_294_967_296.0) as u32)
});

/// Bytes of a block.
const BLOCK: usize = 64;

/// The number of the function of this name.
pub(super) fn guid(name: &[u8]) -> u64 {
    let mut message = [name, &[0x80]].concat();
    message.resize((message.len() + 8).next_multiple_of(BLOCK) - 8, 0);
    message.extend((name.len() as u64 * 8).to_le_bytes());
    let mut state = [0x6745_2301_u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    for block in message.chunks_exact(BLOCK) {
        let word =
            |at: usize| block[at * 4..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        let [mut a, mut b, mut c, mut d] = state;
        for (step, sine) in SINES.iter().enumerate() {
            let (mixed, at) = match step / 16 {
                0 => (b & c | !b & d, step),
                1 => (d & b | !d & c, 5 * step + 1),
                2 => (b ^ c ^ d, 3 * step + 5),
                _ => (c ^ (b | !d), 7 * step),
            };
            let sum = a.wrapping_add(mixed).wrapping_add(*sine).wrapping_add(word(at % 16));
            let next = b.wrapping_add(sum.rotate_left(ROTATIONS[step / 16][step % 4]));
            (a, b, c, d) = (d, next, b, c);
        }
        for (sum, part) in state.iter_mut().zip([a, b, c, d]) {
            *sum = sum.wrapping_add(part);
        }
    }
    u64::from(state[1]) << 32 | u64::from(state[0])
}

#[test]
fn numbers_are_those_of_llvm() {
    assert_eq!(guid(b"main"), 0xdb95_6436_e78d_d5fa);
    assert_eq!(guid(b"foo"), 6_699_318_081_062_747_564);
    // RFC 1321 has the sums of these: of none, one and two blocks.
    assert_eq!(guid(b""), 0x04b2_008f_d98c_1dd4);
    assert_eq!(guid(&b"1234567890".repeat(8)), 0x55c9_e32b_a2f4_ed57);
}
