//! Numbers as the C library reads them: as far as there are digits, and 0 if there are none.

/// Number that `atoi` makes of a text: one that does not fit is cut to its low 32 bits, after it
/// was limited to 64.
pub(crate) fn int(text: &[u8]) -> i32 {
    let (negative, digits) = parts(text);
    let limit = if negative { 1 << 63 } else { (1 << 63) - 1 };
    let number = digits.unwrap_or(u64::MAX).min(limit);
    (if negative { number.wrapping_neg() } else { number }) as i32
}

/// Number that `strtoul` makes of a text: a negative one wraps around, a large one is limited.
pub(crate) fn unsigned(text: &[u8]) -> u64 {
    match parts(text) {
        (true, Some(number)) => number.wrapping_neg(),
        (_, number) => number.unwrap_or(u64::MAX),
    }
}

/// Tells whether there is a minus, and the number; none if it does not fit.
fn parts(text: &[u8]) -> (bool, Option<u64>) {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b;
    let text = &text[text.iter().take_while(|byte| is_blank(byte)).count()..];
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
    let number = digits
        .map(|digit| u64::from(digit - b'0'))
        .try_fold(0_u64, |number, digit| number.checked_mul(10)?.checked_add(digit));
    (negative, number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_far_as_they_go() {
        for (text, number) in [
            ("", 0),
            ("x", 0),
            ("12", 12),
            (" \t+12x", 12),
            ("-3", -3),
            ("- 3", 0),
            ("4294967297", 1),
            ("99999999999999999999", -1),
            ("-99999999999999999999", 0),
        ] {
            assert_eq!(int(text.as_bytes()), number, "{text}");
        }
        for (text, number) in
            [("7", 7), ("-1", u64::MAX), ("99999999999999999999", u64::MAX), ("y", 0)]
        {
            assert_eq!(unsigned(text.as_bytes()), number, "{text}");
        }
    }
}
