//! The entries of one block, which stay where they are.

use core::ops::Range;

use super::Block;
use crate::Encoding;

/// Entries of one size that follow each other.
#[derive(Clone, Copy, Debug)]
pub struct Entries<'a> {
    encoding: Encoding,
    entry_len: usize,
    bytes: &'a [u8],
    /// Bytes of the file before them.
    before: usize,
    /// The rest of their block.
    behind: &'a [u8],
}

impl<'a> Entries<'a> {
    /// The entries of a block, in the bytes from its start on, of which so many lie before it.
    pub(super) fn new(encoding: Encoding, block: Block, bytes: &'a [u8], before: usize) -> Self {
        let number = |number| usize::try_from(number).unwrap_or(usize::MAX);
        let start = number(block.entries_at);
        let entries = block.entry_bytes(bytes);
        let behind = bytes.get(start.saturating_add(entries.len())..number(block.len));
        Self {
            encoding,
            entry_len: block.entry_len.max(1) as usize,
            bytes: entries,
            before: before.saturating_add(start),
            behind: behind.unwrap_or_default(),
        }
    }

    /// These entries, or some of them, as a later read found them.
    pub(super) fn with<'b>(self, bytes: &'b [u8]) -> Entries<'b> {
        Entries { bytes, behind: &[], ..self }
    }

    /// Offsets in the file, in bytes from its start.
    #[must_use]
    pub fn place(self) -> Range<usize> {
        self.before..self.before + self.bytes.len()
    }

    /// Size of one in bytes.
    #[must_use]
    pub fn size(self) -> usize {
        self.entry_len
    }

    /// Number of positions, those of free entries included.
    #[must_use]
    pub fn positions(self) -> usize {
        self.bytes.len() / self.entry_len
    }

    pub(super) fn encoding(self) -> Encoding {
        self.encoding
    }

    /// The entry at a position, if there is such a one.
    #[inline]
    pub(super) fn get(self, position: usize) -> Option<&'a [u8]> {
        self.get_by(position, self.entry_len)
    }

    /// The entry at a position. That it has this size the caller knows when it is compiled.
    #[inline(always)]
    pub(super) fn get_by(self, position: usize, size: usize) -> Option<&'a [u8]> {
        let start = position.checked_mul(size)?;
        self.bytes.get(start..)?.get(..size)
    }

    /// All of them.
    pub(super) fn iter(self) -> impl Iterator<Item = &'a [u8]> + Clone {
        self.iter_by(self.entry_len)
    }

    /// All of them. That they have this size the caller knows when it is compiled.
    #[inline(always)]
    pub(super) fn iter_by(self, size: usize) -> impl Iterator<Item = &'a [u8]> + Clone {
        self.bytes.chunks_exact(size)
    }

    /// Bytes behind them in their block.
    pub(super) fn behind(self) -> &'a [u8] {
        self.behind
    }
}
