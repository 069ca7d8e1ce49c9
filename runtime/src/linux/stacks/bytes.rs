//! The bytes of tables of unwind rules and of exceptions, read one after the other.
//!
//! *Context:* any.

/// What is left to be read.
#[derive(Clone, Copy)]
pub(in crate::linux) struct Bytes<'m> {
    /// The address of the first byte.
    address: usize,
    rest: &'m [u8],
}

/// How a pointer is written (DWARF's exception header encodings, LSB Core 10.5).
const OMITTED: u8 = 0xff;
const RELATIVE_TO_ITSELF: u8 = 0x10;
const RELATIVE_TO_DATA: u8 = 0x30;

impl<'m> Bytes<'m> {
    /// Bytes at their place in memory.
    pub(in crate::linux) fn new(bytes: &'m [u8]) -> Self {
        Self::of(bytes.as_ptr() as usize, bytes)
    }

    /// Bytes that stand for those at an address.
    pub(in crate::linux) fn of(address: usize, bytes: &'m [u8]) -> Self {
        Self { address, rest: bytes }
    }

    /// Goes on at an address; `None` if it is not among these bytes.
    pub(in crate::linux) fn at(self, address: usize) -> Option<Self> {
        let distance = address.checked_sub(self.address)?;
        Some(Self { address, rest: self.rest.get(distance..)? })
    }

    /// The address of the next byte.
    pub(in crate::linux) fn address(self) -> usize {
        self.address
    }

    pub(in crate::linux) fn is_empty(self) -> bool {
        self.rest.is_empty()
    }

    /// The next `len` bytes.
    #[inline(never)]
    pub(in crate::linux) fn take(&mut self, len: usize) -> Option<Self> {
        let taken = Self { address: self.address, rest: self.rest.get(..len)? };
        self.rest = self.rest.get(len..)?;
        self.address = self.address.wrapping_add(len);
        Some(taken)
    }

    pub(in crate::linux) fn as_slice(self) -> &'m [u8] {
        self.rest
    }

    fn array<const LEN: usize>(&mut self) -> Option<[u8; LEN]> {
        let array = *self.rest.first_chunk()?;
        self.take(LEN)?;
        Some(array)
    }

    pub(in crate::linux) fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_ne_bytes)
    }

    pub(in crate::linux) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_ne_bytes)
    }

    pub(in crate::linux) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_ne_bytes)
    }

    pub(in crate::linux) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_ne_bytes)
    }

    /// A number of the size of an address.
    pub(in crate::linux) fn word(&mut self) -> Option<usize> {
        self.array().map(usize::from_ne_bytes)
    }

    /// A number in DWARF's unsigned variable form, of which the lower bits are kept.
    #[inline(never)]
    pub(in crate::linux) fn unsigned(&mut self) -> Option<usize> {
        let mut value = 0usize;
        let mut shift = 0;
        loop {
            let byte = self.u8()?;
            if shift < usize::BITS {
                value |= usize::from(byte & 0x7f) << shift;
            }
            shift += 7;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
    }

    /// A number in DWARF's signed variable form, of which the lower bits are kept.
    #[inline(never)]
    pub(in crate::linux) fn signed(&mut self) -> Option<isize> {
        let mut value = 0isize;
        let mut shift = 0;
        loop {
            let byte = self.u8()?;
            if shift < usize::BITS {
                value |= isize::from(byte & 0x7f) << shift;
            }
            shift += 7;
            if byte & 0x80 == 0 {
                let is_negative = byte & 0x40 != 0 && shift < usize::BITS;
                return Some(if is_negative { value | -1 << shift } else { value });
            }
        }
    }

    /// The string that ends with NUL.
    #[inline(never)]
    pub(in crate::linux) fn string(&mut self) -> Option<&'m [u8]> {
        let len = self.rest.iter().position(|byte| *byte == 0)?;
        let string = self.take(len)?.as_slice();
        self.u8()?;
        Some(string)
    }

    /// A pointer in an encoding; `data` is what the start of the data stands for.
    #[inline(never)]
    pub(in crate::linux) fn pointer(&mut self, encoding: u8, data: usize) -> Option<usize> {
        let base = match encoding & 0xf0 {
            _ if encoding == OMITTED => return None,
            0 => 0,
            RELATIVE_TO_ITSELF => self.address,
            RELATIVE_TO_DATA => data,
            _ => return None,
        };
        Some(base.wrapping_add(self.number(encoding)?))
    }

    /// What is written in an encoding, relative to whatever.
    #[inline(never)]
    pub(in crate::linux) fn number(&mut self, encoding: u8) -> Option<usize> {
        Some(match encoding & 0x0f {
            0x00 => self.word()?,
            0x01 => self.unsigned()?,
            0x02 => self.u16()?.into(),
            0x03 => self.u32()? as usize,
            0x04 | 0x0c => self.u64()? as usize,
            0x09 => self.signed()? as usize,
            0x0a => self.u16()? as i16 as usize,
            0x0b => self.u32()? as i32 as usize,
            _ => return None,
        })
    }
}
