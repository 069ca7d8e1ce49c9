//! The counts of one block, which stay where they are.

use core::ops::Range;

use super::{Block, Count, field};
use crate::{Encoding, LoadedArc};

/// A table of counts, or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct Counts<'a> {
    encoding: Encoding,
    entry_len: usize,
    /// The entries, and how many bytes of the file lie before them.
    bytes: &'a [u8],
    before: usize,
}

impl<'a> Counts<'a> {
    /// The counts of a block, in the bytes from its start on, of which so many lie before it.
    pub(super) fn new(encoding: Encoding, block: Block, bytes: &'a [u8], before: usize) -> Self {
        let start = usize::try_from(block.entries_at).unwrap_or(usize::MAX);
        Self {
            encoding,
            entry_len: block.entry_len.max(1) as usize,
            bytes: block.entry_bytes(bytes),
            before: before.saturating_add(start),
        }
    }

    /// The entries in other bytes, which were read from the same place later, perhaps not all of them.
    #[must_use]
    pub fn read_again<'b>(&self, bytes: &'b [u8]) -> Counts<'b> {
        Counts { bytes, ..*self }
    }

    /// Where the counts are in the file: in bytes from its start.
    #[must_use]
    pub fn place(self) -> Range<usize> {
        self.before..self.before + self.bytes.len()
    }

    /// Size of an entry in bytes.
    #[must_use]
    pub fn entry_len(self) -> usize {
        self.entry_len
    }

    /// How many positions there are, also those of free entries.
    #[must_use]
    pub fn positions(self) -> usize {
        self.bytes.len() / self.entry_len
    }

    /// Visits the calls whose counts differ from those of `known`, by position, which it sets to what they are now: with the
    /// position, the count that was known, and that of now. A thread that ends leaves its counts to another table: these
    /// are zero then, and others have grown.
    pub fn update(self, known: &mut [u64], visit: impl FnMut(usize, u64, LoadedArc)) {
        // The compiler makes a loop of a few instructions for each of what most machines have.
        const LEN: usize = Count::MOST_LEN + 8;
        match (self.encoding, self.entry_len) {
            (Encoding::NATIVE, LEN) => self.update_by(known, Encoding::NATIVE, LEN, visit),
            (encoding, len) => self.update_by(known, encoding, len, visit),
        }
    }

    #[inline(always)]
    fn update_by(
        self,
        known: &mut [u64],
        encoding: Encoding,
        entry_len: usize,
        mut visit: impl FnMut(usize, u64, LoadedArc),
    ) {
        let count_at = Count::len(encoding.word) - 8;
        let entries = self.bytes.chunks_exact(entry_len).zip(known).enumerate();
        for (position, (entry, known)) in entries {
            // Most entries are free, or have the count that is known.
            let number = |at| encoding.u64(field(entry, at));
            let count = number(count_at).wrapping_sub(number(count_at + 8));
            if count == *known {
                continue;
            }
            match Count::of_entry(entry, encoding) {
                Some(Count::Calls(arc)) if arc.count != *known => {
                    visit(position, core::mem::replace(known, arc.count), arc);
                }
                Some(Count::Executions(_)) => *known = count,
                // Neither is one that is just being filled any news.
                _ => {}
            }
        }
    }
}
