//! The name as far as it is not read yet.

/// Nothing real is nested deeper than this,
const DEPTH_LIMIT: u32 = 256;

/// or made of more parts, which back references can multiply.
const STEP_LIMIT: u32 = 1 << 16;

/// Bytes that are read at most, those behind back references each time.
const READ_LIMIT: usize = 1 << 20;

/// A name that is being read.
#[derive(Clone, Debug)]
pub(super) struct Reader<'n> {
    name: &'n [u8],
    at: usize,
    depth: u32,
    steps: u32,
    /// Bytes that were read.
    read: usize,
    /// Place of the innermost back reference that is being followed: those within it must point
    /// from places before it, or they would never end.
    pub(super) followed: usize,
}

impl<'n> Reader<'n> {
    pub(super) fn new(name: &'n [u8]) -> Self {
        Self { name, at: 0, depth: 0, steps: 0, read: 0, followed: name.len() }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.name.len() && self.read <= READ_LIMIT
    }

    /// The bytes that are not read yet; none beyond the limit, where the name is not at its end.
    pub(super) fn rest(&self) -> &'n [u8] {
        if self.read <= READ_LIMIT { &self.name[self.at..] } else { &[] }
    }

    fn advance(&mut self, len: usize) {
        self.at += len;
        self.read += len;
    }

    /// The next byte, or NUL at the end.
    pub(super) fn peek(&self) -> u8 {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, distance: usize) -> u8 {
        self.rest().get(distance).copied().unwrap_or(0)
    }

    /// Reads the next byte, if there is one.
    pub(super) fn next(&mut self) -> Option<u8> {
        let byte = *self.rest().first()?;
        self.advance(1);
        Some(byte)
    }

    pub(super) fn eat(&mut self, text: &[u8]) -> bool {
        let is_next = self.rest().starts_with(text);
        self.advance(if is_next { text.len() } else { 0 });
        is_next
    }

    pub(super) fn take(&mut self, len: usize) -> Option<&'n [u8]> {
        let taken = self.rest().get(..len)?;
        self.advance(len);
        Some(taken)
    }

    pub(super) fn take_while(&mut self, belongs: impl Fn(&u8) -> bool) -> &'n [u8] {
        let len = self.rest().iter().take_while(|byte| belongs(byte)).count();
        self.take(len).unwrap_or_default()
    }

    /// A decimal number, with another byte behind it.
    pub(super) fn number(&mut self) -> Option<usize> {
        let digits = std::str::from_utf8(self.take_while(u8::is_ascii_digit)).ok()?;
        let number: u32 = digits.parse().ok()?;
        (!self.is_at_end()).then_some(number as usize)
    }

    /// Target of a reference to something before it, and what is to be read next. Its number is a
    /// distance in letters, of which the last one is small.
    pub(super) fn back_reference(&mut self) -> Option<usize> {
        let at = self.at;
        self.eat(b"Q").then_some(())?;
        let mut distance = 0_usize;
        loop {
            let letter = self.next()?;
            let digit = usize::from(letter.to_ascii_uppercase().checked_sub(b'A')?);
            (digit < 26).then_some(())?;
            distance = distance.checked_mul(26)?.checked_add(digit)?;
            if letter.is_ascii_lowercase() {
                break;
            }
        }
        (distance > 0).then_some(())?;
        at.checked_sub(distance)
    }

    /// Reads, or stays where it was.
    pub(super) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.clone();
        let result = read(self);
        if result.is_none() {
            // The work was done all the same.
            *self = Self { steps: self.steps, read: self.read, ..before };
        }
        result
    }

    /// Place of the reader.
    pub(super) fn place(&self) -> usize {
        self.at
    }

    /// The byte at a place.
    pub(super) fn byte_at(&self, place: usize) -> u8 {
        self.name.get(place).copied().unwrap_or(0)
    }

    /// Reads something else at another place.
    pub(super) fn elsewhere<T>(
        &mut self,
        place: usize,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let back = std::mem::replace(&mut self.at, place);
        let result = read(self);
        self.at = back;
        result
    }

    /// Guards one level of nesting.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        self.steps += 1;
        let fits = self.depth <= DEPTH_LIMIT && self.steps <= STEP_LIMIT;
        let result = if fits { read(self) } else { None };
        self.depth -= 1;
        result
    }
}
