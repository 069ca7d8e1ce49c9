//! A position in a file's bytes.

use crate::{Encoding, WordSize};

/// Fewer items than announced: the file ends after this many whole ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CutShort(pub(crate) u32);

/// Takes numbers of an encoding from the front of what is left; none if too little is.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
    len: usize,
    encoding: Encoding,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8], encoding: Encoding) -> Self {
        Self { rest: bytes, len: bytes.len(), encoding }
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Bytes taken so far.
    pub(crate) fn offset(&self) -> usize {
        self.len - self.rest.len()
    }

    /// Bytes that are left.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*array)
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array().map(|[byte]: [u8; 1]| byte)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(|bytes| self.encoding.u32(bytes))
    }

    /// Takes a number of the size of an address.
    pub(crate) fn word(&mut self) -> Option<u64> {
        match self.encoding.word {
            WordSize::Four => self.u32().map(u64::from),
            WordSize::Eight => self.array().map(|bytes| self.encoding.u64(bytes)),
        }
    }

    /// Takes a string and its terminating NUL, which is not part of the result.
    pub(crate) fn string(&mut self) -> Option<&'a [u8]> {
        let end = self.rest.iter().position(|&byte| byte == 0)?;
        let (string, rest) = self.rest.split_at(end);
        self.rest = rest.get(1..)?;
        Some(string)
    }

    /// Takes all that is left.
    pub(crate) fn remainder(&mut self) -> &'a [u8] {
        core::mem::take(&mut self.rest)
    }

    /// Skips `count` bytes, or as many as there are.
    pub(crate) fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    /// Takes `announced` items of `size` bytes, or nothing if they are not all there.
    pub(crate) fn items(&mut self, announced: u32, size: usize) -> Result<&'a [u8], CutShort> {
        let there = self.rest.len() / size;
        match usize::try_from(announced) {
            Ok(count) if count <= there => {
                let (items, rest) = self.rest.split_at(count * size);
                self.rest = rest;
                Ok(items)
            }
            // Fewer than announced are there, so the number fits in 32 bits.
            _ => Err(CutShort(u32::try_from(there).unwrap_or(u32::MAX))),
        }
    }
}
