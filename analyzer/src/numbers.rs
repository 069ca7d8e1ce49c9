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

/// `3` and `call` as `3 calls`.
#[must_use]
pub fn counted(number: u64, what: &str) -> String {
    let plural = match what.strip_suffix("process") {
        _ if number == 1 => "",
        Some(_) => "es",
        None => "s",
    };
    format!("{} {what}{plural}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1_000, "1,000"), (u64::MAX, "18,446,744,073,709,551,615")]
        {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn nouns_follow_their_number() {
        for (number, noun, text) in [
            (1, "call", "1 call"),
            (0, "call", "0 calls"),
            (1, "process", "1 process"),
            (2_000, "process", "2,000 processes"),
        ] {
            assert_eq!(counted(number, noun), text);
        }
    }
}
