//! The bytes of tables of unwind rules and of exceptions, read one after the other.

use crate::processor::Processor;
use crate::word::Word;

/// Bytes at an address of the process, of which some are still to be read.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'m, P: Processor> {
    /// The address of the first byte.
    address: P::Word,
    rest: &'m [u8],
}

/// The encoding of a pointer that is not there (DWARF's exception header encodings, LSB Core 10.5).
pub const OMITTED: u8 = 0xff;
/// What a pointer is relative to, in the same encodings.
const RELATIVE_TO_ITSELF: u8 = 0x10;
const RELATIVE_TO_DATA: u8 = 0x30;

impl<'m, P: Processor> Bytes<'m, P> {
    /// Bytes that are, or stand for, those at an address of the process.
    #[must_use]
    pub fn of(address: P::Word, bytes: &'m [u8]) -> Self {
        Self { address, rest: bytes }
    }

    /// Goes on at an address; `None` if it is not among these bytes.
    #[must_use]
    pub fn at(self, address: P::Word) -> Option<Self> {
        let distance = address.get().checked_sub(self.address.get())?;
        Some(Self { address, rest: self.rest.get(usize::try_from(distance).ok()?..)? })
    }

    /// The address of the next byte.
    #[must_use]
    pub fn address(self) -> P::Word {
        self.address
    }

    /// True if all of them were read.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.rest.is_empty()
    }

    /// The next `len` bytes.
    #[inline(never)]
    pub fn take(&mut self, len: usize) -> Option<Self> {
        let taken = Self { address: self.address, rest: self.rest.get(..len)? };
        self.rest = self.rest.get(len..)?;
        self.address = self.address.behind(len);
        Some(taken)
    }

    /// The bytes that are left.
    #[must_use]
    pub fn as_slice(self) -> &'m [u8] {
        self.rest
    }

    fn array<const LEN: usize>(&mut self) -> Option<[u8; LEN]> {
        let array = *self.rest.first_chunk()?;
        self.take(LEN)?;
        Some(array)
    }

    /// The next byte.
    pub fn u8(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    /// The next number of 16 bits.
    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(P::u16)
    }

    /// The next number of 32 bits.
    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(P::u32)
    }

    /// The next number of 64 bits.
    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(P::u64)
    }

    /// A number of the size of an address.
    pub fn word(&mut self) -> Option<P::Word> {
        let is_wide = P::Word::SIZE == size_of::<u64>();
        Some(P::Word::of(if is_wide { self.u64()? } else { self.u32()?.into() }))
    }

    /// A number in DWARF's unsigned variable form that names or counts something.
    pub fn index(&mut self) -> Option<usize> {
        Some(self.unsigned()?.get() as usize)
    }

    /// A number in DWARF's unsigned variable form, of which the lower bits are kept.
    pub fn unsigned(&mut self) -> Option<P::Word> {
        self.variable(false)
    }

    /// A number in DWARF's signed variable form, of which the lower bits are kept.
    pub fn signed(&mut self) -> Option<P::Word> {
        self.variable(true)
    }

    #[inline(never)]
    fn variable(&mut self, is_signed: bool) -> Option<P::Word> {
        let mut value = 0;
        let mut shift = 0u32;
        loop {
            let byte = self.u8()?;
            if shift < P::Word::BITS {
                value |= u64::from(byte & 0x7f) << shift;
            }
            // As many bytes as somebody likes may follow.
            shift = shift.saturating_add(7);
            if byte & 0x80 == 0 {
                let is_negative = is_signed && byte & 0x40 != 0 && shift < P::Word::BITS;
                let above = if is_negative { u64::MAX << shift } else { 0 };
                return Some(P::Word::of(value | above));
            }
        }
    }

    /// The string that ends with NUL.
    #[inline(never)]
    pub fn string(&mut self) -> Option<&'m [u8]> {
        let len = self.rest.iter().position(|byte| *byte == 0)?;
        let string = self.take(len)?.as_slice();
        self.u8()?;
        Some(string)
    }

    /// A pointer in an encoding; `data` is what the start of the data stands for.
    #[inline(never)]
    pub fn pointer(&mut self, encoding: u8, data: P::Word) -> Option<P::Word> {
        let base = match encoding & 0xf0 {
            _ if encoding == OMITTED => return None,
            0 => P::Word::of(0),
            RELATIVE_TO_ITSELF => self.address,
            RELATIVE_TO_DATA => data,
            _ => return None,
        };
        Some(base.plus(self.number(encoding)?))
    }

    /// Number in an encoding, relative to whatever.
    #[inline(never)]
    pub fn number(&mut self, encoding: u8) -> Option<P::Word> {
        Some(P::Word::of(match encoding & 0x0f {
            0x00 => return self.word(),
            0x01 => return self.unsigned(),
            0x02 => self.u16()?.into(),
            0x03 => self.u32()?.into(),
            0x04 | 0x0c => self.u64()?,
            0x09 => return self.signed(),
            0x0a => self.u16()? as i16 as u64,
            0x0b => self.u32()? as i32 as u64,
            _ => return None,
        }))
    }
}
