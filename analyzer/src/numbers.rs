//! Numbers as people read them.

/// As many digits behind the point of a time in seconds as its sampling period needs: 2 for 100 samples each second, 3 for
/// 500, at most 6.
#[must_use]
pub fn places(rate: u32) -> usize {
    let digits = (rate.max(100) - 1).ilog10() + 1;
    digits.min(6) as usize
}

/// `1234567` as `1,234,567`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (digit, left) in digits.chars().zip((0..digits.len()).rev()) {
        text.push(digit);
        if left > 0 && left % 3 == 0 {
            text.push(',');
        }
    }
    text
}
