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

/// A short time, with three digits.
#[must_use]
pub fn duration(seconds: f64) -> String {
    // What rounds up to four digits belongs to the next larger unit or has a place less.
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "us")];
    let unit = units.into_iter().find(|(unit, _)| seconds >= 0.9995 * unit);
    let (unit, name) = unit.unwrap_or((1e-9, "ns"));
    let number = seconds / unit;
    let places = match number {
        99.95.. => 0,
        9.995.. => 1,
        _ => 2,
    };
    format!("{number:.places$} {name}")
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

    #[test]
    fn times_of_calls_have_three_digits() {
        for (seconds, text) in [
            (2.5, "2.50 s"),
            (0.0125, "12.5 ms"),
            (0.000_228, "228 us"),
            (3e-9, "3.00 ns"),
            (0.0, "0.00 ns"),
            (0.002 / 20_000.0, "100 ns"),
            (9.996e-6, "10.0 us"),
            (999.7e-9, "1.00 us"),
            (999.4e-9, "999 ns"),
        ] {
            assert_eq!(duration(seconds), text);
        }
    }
}
