//! Facts about the run: lines of text, `key=value`.
//!
//! A value may have any bytes: a backslash stands before those that a line cannot have, as `\n` for the
//! end of a line, `\0` for NUL and `\\` for itself.

/// The text of a block of facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts<'a> {
    text: &'a [u8],
}

impl<'a> Facts<'a> {
    /// Takes the text of a block.
    #[must_use]
    pub const fn new(text: &'a [u8]) -> Self {
        Self { text }
    }

    /// Keys and their values, as they are in the text. Lines without a key are left out.
    pub fn iter(self) -> impl Iterator<Item = (&'a [u8], Value<'a>)> + Clone {
        let lines = self.text.split(|byte| *byte == b'\n');
        lines.filter_map(|line| {
            let at = line.iter().position(|byte| *byte == b'=')?;
            let (key, value) = (line.get(..at)?, line.get(at + 1..)?);
            (!key.is_empty()).then_some((key, Value { text: value }))
        })
    }

    /// The value of a key; that of the last line if there are several.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Value<'a>> {
        self.iter().filter(|(name, _)| *name == key.as_bytes()).last().map(|(_, value)| value)
    }
}

/// A fact's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value<'a> {
    text: &'a [u8],
}

impl<'a> Value<'a> {
    /// The value's bytes.
    pub fn bytes(self) -> impl Iterator<Item = u8> + Clone + 'a {
        let mut text = self.text.iter().copied();
        core::iter::from_fn(move || match text.next()? {
            b'\\' => Some(match text.next() {
                Some(b'n') => b'\n',
                Some(b'0') => 0,
                Some(other) => other,
                None => b'\\',
            }),
            byte => Some(byte),
        })
    }

    /// The value as a decimal number; `None` if it is none.
    #[must_use]
    pub fn number(self) -> Option<u64> {
        let digits = (!self.text.is_empty()).then_some(self.text)?;
        digits.iter().try_fold(0, |number: u64, byte| {
            let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
            number.checked_mul(10)?.checked_add(digit)
        })
    }
}

/// A byte of a value as it is written.
#[must_use]
pub const fn escaped(byte: u8) -> Escaped {
    match byte {
        b'\n' => Escaped { bytes: *b"\\n", len: 2 },
        b'\\' => Escaped { bytes: *b"\\\\", len: 2 },
        0 => Escaped { bytes: *b"\\0", len: 2 },
        _ => Escaped { bytes: [byte, 0], len: 1 },
    }
}

/// An escaped byte: one or two bytes.
#[derive(Clone, Copy, Debug)]
pub struct Escaped {
    bytes: [u8; 2],
    len: usize,
}

impl Escaped {
    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Facts, escaped};

    #[test]
    fn any_value_comes_back() {
        let all: [u8; 256] = core::array::from_fn(|byte| byte as u8);
        let mut text = [0; 600];
        let mut len = 0;
        let mut push = |bytes: &[u8]| {
            text[len..len + bytes.len()].copy_from_slice(bytes);
            len += bytes.len();
        };
        push(b"=no key\nno value\nall=");
        all.iter().for_each(|byte| push(escaped(*byte).as_bytes()));
        push(b"\npid=4711\nempty=\npid=12\nhuge=99999999999999999999\n");
        let facts = Facts::new(&text[..len]);
        assert!(facts.get("all").unwrap().bytes().eq(all));
        let number = |key| facts.get(key).unwrap().number();
        assert_eq!((number("pid"), number("empty"), number("huge")), (Some(12), None, None));
        assert_eq!((facts.get("none"), facts.iter().count()), (None, 5));
    }
}
