//! Messages of protocol buffers, as far as formats need them.

/// The bytes of a message.
#[derive(Clone, Debug, Default)]
pub(super) struct Message(Vec<u8>);

impl Message {
    /// Adds a number; none for zero, which readers take for one that is missing.
    pub(super) fn number(mut self, field: u32, value: u64) -> Self {
        if value != 0 {
            self.varint(u64::from(field) << 3);
            self.varint(value);
        }
        self
    }

    /// Adds bytes.
    pub(super) fn bytes(mut self, field: u32, value: &[u8]) -> Self {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
        self
    }

    /// Adds a message.
    pub(super) fn message(self, field: u32, value: &Self) -> Self {
        self.bytes(field, &value.0)
    }

    /// Adds a list of numbers.
    pub(super) fn numbers(self, field: u32, values: impl IntoIterator<Item = u64>) -> Self {
        let mut list = Self::default();
        values.into_iter().for_each(|value| list.varint(value));
        self.message(field, &list)
    }

    /// Its bytes.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::Message;

    #[test]
    fn fields_are_those_of_the_encoding() {
        let inner = Message::default().number(1, 300);
        let message = Message::default()
            .number(1, 150)
            .bytes(2, b"testing")
            .number(3, 0)
            .message(4, &inner)
            .numbers(5, [3, 270, u64::MAX]);
        let expected = [
            &[0x08, 0x96, 0x01][..],
            &[0x12, 7],
            b"testing",
            &[0x22, 3, 0x08, 0xac, 0x02],
            &[0x2a, 13, 3, 0x8e, 0x02],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
        ];
        assert_eq!(message.as_bytes(), expected.concat());
    }
}
