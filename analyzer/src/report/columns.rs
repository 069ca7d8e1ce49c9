//! Numbers and cells of fixed width, as C's `printf` makes them.
//!
//! A report can have millions of lines, so the common numbers do not go through `std::fmt`.

use std::io::{self, Write};

const BLANKS: [u8; 64] = [b' '; 64];

/// Writes blanks.
#[inline]
pub(super) fn blanks(out: &mut impl Write, count: usize) -> io::Result<()> {
    let mut rest = count;
    while rest > 0 {
        let part = rest.min(BLANKS.len());
        out.write_all(&BLANKS[..part])?;
        rest -= part;
    }
    Ok(())
}

/// Writes a blank and `text`, cut and padded on the left to `width`.
pub(super) fn word(out: &mut impl Write, text: &[u8], width: usize) -> io::Result<()> {
    let text = &text[..text.len().min(width)];
    blanks(out, 1 + width - text.len())?;
    out.write_all(text)
}

/// Writes a blank and a whole number padded on the left to `width`.
pub(super) fn count(out: &mut impl Write, value: u64, width: usize) -> io::Result<()> {
    Digits::of(value).write_right(out, width)
}

/// Writes a whole number padded on the right to `width`, at most [`Digits::AFTER`].
pub(super) fn count_left(out: &mut impl Write, value: u64, width: usize) -> io::Result<()> {
    Digits::of(value).write_left(out, width)
}

/// Writes a blank and a number with two decimals, padded on the left to `width`.
pub(super) fn decimal(out: &mut impl Write, value: f64, width: usize) -> io::Result<()> {
    match hundredths(value) {
        Some(hundredths) => Digits::of_hundredths(hundredths).write_right(out, width),
        None => write!(out, " {value:width$.2}"),
    }
}

/// A number rounded to two decimals, halves to even, as `%.2f` rounds its exact value; none if it is
/// negative or so large that this way is not exact.
fn hundredths(value: f64) -> Option<u64> {
    const LIMIT: f64 = 1e13;
    /// Up to here a product is less than a millionth away from the exact one.
    const CLOSE: f64 = 1e9;
    if !(value.is_sign_positive() && value < LIMIT) {
        return None;
    }
    let product = value * 100.0;
    let whole = product as u64;
    let above_half = product - whole as f64 - 0.5;
    if product < CLOSE && above_half.abs() > 1e-6 {
        return Some(whole + u64::from(above_half > 0.0));
    }
    // What rounding took from the product, exactly. It is exact where it matters, too: near a half,
    // both are of the same size.
    let lost = value.mul_add(100.0, -product);
    let above_half = above_half + lost;
    let rounds_up = above_half > 0.0 || (above_half == 0.0 && whole % 2 == 1);
    Some(whole + u64::from(rounds_up))
}

/// The text of a number, with blanks around it.
struct Digits {
    bytes: [u8; Self::BEFORE + Self::AFTER],
    start: usize,
}

/// The numbers below 100.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number] = [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        number += 1;
    }
    pairs
};

impl Digits {
    /// Where the number ends: enough room for 64 bits, a point and a blank.
    const BEFORE: usize = 24;
    /// Blanks after it, as many as the widest column on the left has.
    const AFTER: usize = 8;
    /// Width of most columns.
    const USUAL: usize = 7;

    fn new() -> Self {
        Self { bytes: [b' '; Self::BEFORE + Self::AFTER], start: Self::BEFORE }
    }

    fn of(value: u64) -> Self {
        let mut digits = Self::new();
        digits.put_number(value);
        digits
    }

    fn of_hundredths(value: u64) -> Self {
        let mut digits = Self::new();
        digits.put(PAIRS[(value % 100) as usize]);
        digits.put([b'.']);
        digits.put_number(value / 100);
        digits
    }

    /// Puts a whole number before what is there.
    fn put_number(&mut self, mut value: u64) {
        while value >= 100 {
            self.put(PAIRS[(value % 100) as usize]);
            value /= 100;
        }
        if value >= 10 {
            self.put(PAIRS[value as usize]);
        } else {
            self.put([b'0' + value as u8]);
        }
    }

    fn put<const N: usize>(&mut self, text: [u8; N]) {
        self.start -= N;
        self.bytes[self.start..self.start + N].copy_from_slice(&text);
    }

    /// Writes a blank and the number padded on the left to `width`, at most 23.
    fn write_right(&self, out: &mut impl Write, width: usize) -> io::Result<()> {
        let start = self.start.min(Self::BEFORE - width) - 1;
        // A copy of a length that the compiler knows takes no call.
        if start == Self::BEFORE - Self::USUAL - 1 {
            out.write_all(&self.bytes[Self::BEFORE - Self::USUAL - 1..Self::BEFORE])
        } else {
            out.write_all(&self.bytes[start..Self::BEFORE])
        }
    }

    /// Writes the number padded on the right to `width`.
    fn write_left(&self, out: &mut impl Write, width: usize) -> io::Result<()> {
        if width == Self::USUAL && self.start >= Self::BEFORE - Self::USUAL {
            out.write_all(&self.bytes[self.start..][..Self::USUAL])
        } else {
            let end = Self::BEFORE.max(self.start + width);
            out.write_all(&self.bytes[self.start..end])
        }
    }
}

/// A number with six significant digits, as `%g` prints it.
pub(super) fn general(value: f64) -> String {
    const DIGITS: i32 = 6;
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    // The exponent after rounding to six digits decides between the two forms.
    let scientific = format!("{value:.*e}", DIGITS as usize - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..DIGITS).contains(&exponent) {
        let decimals = usize::try_from(DIGITS - 1 - exponent).unwrap_or(0);
        trim(&format!("{value:.decimals$}")).to_owned()
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trim(mantissa), exponent.abs())
    }
}

/// Without zeros at the end of a fraction.
fn trim(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn general_prints_like_percent_g() {
        for (value, text) in [
            (0.01, "0.01"),
            (1.0, "1"),
            (1.0 / 64.0, "0.015625"),
            (1.0 / 3.0, "0.333333"),
            (0.001, "0.001"),
            (1.0 / 32768.0, "3.05176e-05"),
            (1.0 / 4294967295.0, "2.32831e-10"),
            (123456.0, "123456"),
            (1234567.0, "1.23457e+06"),
            (0.0, "0"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(general(value), text);
        }
    }

    fn check_decimal(value: f64) {
        let mut out = Vec::new();
        decimal(&mut out, value, 8).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), format!(" {value:8.2}"), "{value:e}");
    }

    #[test]
    fn decimals_round_like_the_exact_value() {
        for value in [0.0, 0.125, 0.375, 0.005, 0.015, 1.005, 2.675, 1e12 + 0.125, 1e13, 1e300] {
            check_decimal(value);
            check_decimal(-value);
        }
        check_decimal(f64::NAN);
        check_decimal(f64::INFINITY);
        // Halves, and their neighbours, at all sizes.
        for bits in 0..200_000_u64 {
            let value =
                (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (bits % 50)) as f64 / 8.0 / 100.0;
            check_decimal(value);
            check_decimal(f64::from_bits(value.to_bits() + 1));
        }
    }

    #[test]
    fn cells_are_padded() {
        let mut out = Vec::new();
        word(&mut out, b"abcdef", 3).unwrap();
        word(&mut out, b"ab", 3).unwrap();
        count(&mut out, 0, 3).unwrap();
        count(&mut out, u64::MAX, 3).unwrap();
        count_left(&mut out, 7, 3).unwrap();
        decimal(&mut out, 1234.5, 3).unwrap();
        assert_eq!(out, b" abc  ab   0 184467440737095516157   1234.50");
    }
}
