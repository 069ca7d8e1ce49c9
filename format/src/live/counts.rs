//! The counts of one block, which stay where they are.

use super::{Count, Entries, field};
use crate::{Encoding, LoadedArc};

/// A table of counts, or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct Counts<'a>(Entries<'a>);

impl<'a> Counts<'a> {
    pub(super) fn new(entries: Entries<'a>) -> Self {
        Self(entries)
    }

    /// Where they are, and how many there can be.
    #[must_use]
    pub fn entries(self) -> Entries<'a> {
        self.0
    }

    /// Whether a program that runs counts in another table instead. This one does not change any more, but for a call that was
    /// just being counted, and where all counts are set to zero.
    #[must_use]
    pub fn has_successor(self) -> bool {
        let encoding = self.0.encoding();
        encoding.u64(field(self.0.behind(), Count::len(encoding.word) - 8)) != 0
    }

    /// These counts, or some of them, as a later read found them: `bytes` is what it read.
    #[must_use]
    pub fn read_again<'b>(&self, bytes: &'b [u8]) -> Counts<'b> {
        Counts(self.0.with(bytes))
    }

    /// Visits the calls whose counts differ from those of `known`, by position, which it sets to what they are now: with the
    /// position, the count that was known, and that of now. A thread that ends leaves its counts to another table: these
    /// are zero then, and others have grown.
    pub fn update(self, known: &mut [u64], visit: impl FnMut(usize, u64, LoadedArc)) {
        // The compiler makes a loop of a few instructions for each of what most machines have.
        const LEN: usize = Count::MOST_LEN + 8;
        match (self.0.encoding(), self.0.size()) {
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
        let entries = self.0.iter_by(entry_len).zip(known).enumerate();
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
