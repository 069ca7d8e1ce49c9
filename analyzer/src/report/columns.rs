//! Numbers and cells of fixed width, as C's `printf` makes them.

use std::io::{self, Write};

/// Writes `text` cut to `most` bytes and padded on the left to `width`.
pub(super) fn right(
    out: &mut impl Write,
    text: &[u8],
    width: usize,
    most: usize,
) -> io::Result<()> {
    let text = &text[..text.len().min(most)];
    for _ in text.len()..width {
        out.write_all(b" ")?;
    }
    out.write_all(text)
}

/// Writes `text` cut to `most` bytes and padded on the right to `width`.
pub(super) fn left(out: &mut impl Write, text: &[u8], width: usize, most: usize) -> io::Result<()> {
    let text = &text[..text.len().min(most)];
    out.write_all(text)?;
    for _ in text.len()..width {
        out.write_all(b" ")?;
    }
    Ok(())
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

    #[test]
    fn cells_are_cut_and_padded() {
        let mut out = Vec::new();
        right(&mut out, b"seconds", 9, 9).unwrap();
        left(&mut out, b"name", 8, 8).unwrap();
        right(&mut out, b"abcdef", 2, 3).unwrap();
        assert_eq!(out, b"  secondsname    abc");
    }
}
