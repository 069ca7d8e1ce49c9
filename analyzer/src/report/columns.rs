//! Cells of fixed width at the end of a text, as C's `printf` makes them.
//!
//! A report can have millions of lines, so the common numbers do not go through `std::fmt`, and
//! wherever possible more is copied than is needed, if only its length is known to the compiler:
//! such a copy takes no call.

use std::io::Write;

/// Appends blanks.
#[inline]
pub(super) fn blanks(text: &mut Vec<u8>, count: usize) {
    match count {
        0..=16 => append(text, &[b' '; 16], count),
        17..=64 => append(text, &[b' '; 64], count),
        _ => text.resize(text.len() + count, b' '),
    }
}

/// Appends a blank and `word`, cut and padded on the left to `width`.
pub(super) fn word(text: &mut Vec<u8>, word: &[u8], width: usize) {
    let word = &word[..word.len().min(width)];
    blanks(text, 1 + width - word.len());
    text.extend_from_slice(word);
}

/// Appends a whole number.
pub(super) fn number(text: &mut Vec<u8>, value: u64) {
    Digits::of(value).append_left(text, 0);
}

/// Appends a blank and a whole number padded on the left to `width`.
pub(super) fn count(text: &mut Vec<u8>, value: u64, width: usize) {
    Digits::of(value).append_right(text, width, 1);
}

/// Appends a whole number padded on the right to `width`.
pub(super) fn count_left(text: &mut Vec<u8>, value: u64, width: usize) {
    Digits::of(value).append_left(text, width);
}

/// Appends a blank and a number with `PLACES` decimals, 1 or 2, padded on the left to `width`.
pub(super) fn decimal<const PLACES: usize>(text: &mut Vec<u8>, value: f64, width: usize) {
    fraction::<PLACES>(text, value, width, 1);
}

/// Appends a number like [`decimal`], but without the blank: for the start of a line.
pub(super) fn first_decimal<const PLACES: usize>(text: &mut Vec<u8>, value: f64, width: usize) {
    fraction::<PLACES>(text, value, width, 0);
}

fn fraction<const PLACES: usize>(text: &mut Vec<u8>, value: f64, width: usize, before: usize) {
    let scale = if PLACES == 1 { 10.0 } else { 100.0 };
    if let Some(value) = rounded(value, scale) {
        Digits::of_fraction::<PLACES>(value).append_right(text, width, before);
    } else {
        blanks(text, before);
        // Memory takes whatever is written.
        let _ = write!(text, "{value:width$.PLACES$}");
    }
}

/// Appends the first `len` of some bytes.
#[inline]
fn append<const N: usize>(text: &mut Vec<u8>, bytes: &[u8; N], len: usize) {
    text.extend_from_slice(bytes);
    text.truncate(text.len() - N + len);
}

/// A number times `scale` as a whole number, halves to even, as `%f` rounds its exact value; none if
/// it is negative or so large that this way is not exact.
fn rounded(value: f64, scale: f64) -> Option<u64> {
    const LIMIT: f64 = 1e13;
    /// Up to here a product is less than a millionth away from the exact one.
    const CLOSE: f64 = 1e9;
    if !(value.is_sign_positive() && value < LIMIT) {
        return None;
    }
    let product = value * scale;
    let whole = product as u64;
    let above_half = product - whole as f64 - 0.5;
    if product < CLOSE && above_half.abs() > 1e-6 {
        return Some(whole + u64::from(above_half > 0.0));
    }
    // What rounding took from the product, exactly. It is exact where it matters, too: near a half,
    // both are of the same size.
    let lost = value.mul_add(scale, -product);
    let above_half = above_half + lost;
    let rounds_up = above_half > 0.0 || (above_half == 0.0 && whole % 2 == 1);
    Some(whole + u64::from(rounds_up))
}

/// The text of a number, with blanks around it.
struct Digits {
    bytes: [u8; Self::BEFORE + Self::ROOM],
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
    /// Column in which the number ends.
    const BEFORE: usize = 24;
    /// The longest cell: enough for 64 bits, a point and a blank.
    const ROOM: usize = 24;

    fn new() -> Self {
        Self { bytes: [b' '; Self::BEFORE + Self::ROOM], start: Self::BEFORE }
    }

    fn of(value: u64) -> Self {
        let mut digits = Self::new();
        digits.put_number(value);
        digits
    }

    /// A number of tenths or hundredths.
    fn of_fraction<const PLACES: usize>(value: u64) -> Self {
        let mut digits = Self::new();
        let whole = if PLACES == 1 {
            digits.put([b'0' + (value % 10) as u8]);
            value / 10
        } else {
            digits.put(PAIRS[(value % 100) as usize]);
            value / 100
        };
        digits.put([b'.']);
        digits.put_number(whole);
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

    fn put<const N: usize>(&mut self, digits: [u8; N]) {
        self.start -= N;
        self.bytes[self.start..self.start + N].copy_from_slice(&digits);
    }

    /// Appends the number padded on the left to `width`, and as many `blanks` before it; both
    /// together are at most [`Digits::ROOM`].
    #[inline]
    fn append_right(&self, text: &mut Vec<u8>, width: usize, blanks: usize) {
        let start = self.start.min(Self::BEFORE - width) - blanks;
        self.append(text, start, Self::BEFORE - start);
    }

    /// Appends the number padded on the right to `width`, at most [`Digits::ROOM`].
    #[inline]
    fn append_left(&self, text: &mut Vec<u8>, width: usize) {
        self.append(text, self.start, width.max(Self::BEFORE - self.start));
    }

    #[inline]
    fn append(&self, text: &mut Vec<u8>, start: usize, len: usize) {
        if let Some(bytes) = self.bytes[start..].first_chunk::<{ Self::ROOM }>() {
            append(text, bytes, len);
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
        let mut text = Vec::new();
        decimal::<2>(&mut text, value, 8);
        decimal::<1>(&mut text, value, 5);
        let expected = format!(" {value:8.2} {value:5.1}");
        assert_eq!(String::from_utf8(text).unwrap(), expected, "{value:e}");
    }

    #[test]
    fn decimals_round_like_the_exact_value() {
        for value in [0.0, 0.125, 0.375, 0.005, 0.015, 1.005, 2.675, 1e12 + 0.125, 1e13, 1e300] {
            check_decimal(value);
            check_decimal(-value);
        }
        check_decimal(f64::NAN);
        check_decimal(f64::INFINITY);
        for number in 0..200_000_u64 {
            let bits = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            // Any number, and one of the size of those in reports.
            check_decimal(f64::from_bits(bits));
            check_decimal(bits as f64 / 2_f64.powi(20 + (number % 64) as i32));
            // Halves, and their neighbours, at all sizes.
            for scale in [10.0, 100.0] {
                let value = (bits >> (number % 50)) as f64 / 8.0 / scale;
                check_decimal(value);
                check_decimal(f64::from_bits(value.to_bits() + 1));
            }
        }
    }

    #[test]
    fn cells_are_padded() {
        let mut text = Vec::new();
        word(&mut text, b"abcdef", 3);
        word(&mut text, b"ab", 3);
        count(&mut text, 0, 3);
        count(&mut text, u64::MAX, 3);
        count_left(&mut text, 7, 3);
        decimal::<2>(&mut text, 1234.5, 3);
        first_decimal::<1>(&mut text, 0.25, 5);
        number(&mut text, 108);
        assert_eq!(text, b" abc  ab   0 184467440737095516157   1234.50  0.2108");
        for count in [0, 1, 16, 17, 64, 65, 1000] {
            text.clear();
            blanks(&mut text, count);
            assert_eq!(text, vec![b' '; count]);
        }
    }
}
