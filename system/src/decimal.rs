//! Numbers as text, without formatting or allocation.
//!
//! *Context:* any.

/// A number in decimal.
pub struct Decimal {
    digits: [u8; 20],
    start: usize,
}

impl Decimal {
    /// The text of a number.
    pub fn new(mut value: u64) -> Self {
        let mut this = Self { digits: [b'0'; 20], start: 20 };
        for digit in this.digits.iter_mut().rev() {
            *digit = b'0' + (value % 10) as u8;
            value /= 10;
            this.start -= 1;
            if value == 0 {
                break;
            }
        }
        this
    }

    /// Its digits, the highest first.
    pub fn as_bytes(&self) -> &[u8] {
        self.digits.get(self.start..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    #[test]
    fn decimals_are_those_of_the_standard_library() {
        for value in [0, 9, 10, 4_294_967_296, u64::MAX] {
            assert_eq!(Decimal::new(value).as_bytes(), value.to_string().as_bytes());
        }
    }
}
