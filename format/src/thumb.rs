//! Calls in Thumb code: the runtime reads them on stacks, the analyzer in files.

/// Distance that `BL` or `BLX` leads, in bytes; `first` and `second` are its halfwords.
///
/// The distance has 25 bits, of which the first halfword has the sign and the upper ones.
#[must_use]
pub fn distance(first: u32, second: u32) -> i32 {
    let sign = first >> 10 & 1;
    let upper = |bit: u32| (second >> bit & 1) ^ sign ^ 1;
    let bits = sign << 24
        | upper(13) << 23
        | upper(11) << 22
        | (first & 0x3ff) << 12
        | (second & 0x7ff) << 1;
    (bits << 7) as i32 >> 7
}
