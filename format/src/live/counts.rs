//! The counts of one block, which stay where they are.

use super::{Count, Entries, field};
use crate::Encoding;

/// A table of counts, or a part of one.
#[derive(Clone, Copy, Debug)]
pub struct Counts<'a>(Entries<'a>);

/// The layout that most machines have. For what is known when it is compiled, the compiler makes loops of a few instructions.
const USUAL: (Encoding, usize) = (Encoding::NATIVE, Count::MOST_LEN + 8);

impl<'a> Counts<'a> {
    pub(super) fn new(entries: Entries<'a>) -> Self {
        Self(entries)
    }

    /// Places of the entries, and how many there can be.
    #[must_use]
    pub fn entries(self) -> Entries<'a> {
        self.0
    }

    /// Returns `true` if a program that runs counts in another table instead. This one does not change any more, but
    /// for a call that was just being counted, and where all counts are set to zero.
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

    /// Counts of entries, by their positions, also those that are zero. The others are free.
    pub fn filled(self) -> impl Iterator<Item = (usize, Count)> {
        let encoding = self.0.encoding();
        let entries = self.0.iter().enumerate();
        entries.filter_map(move |(at, entry)| Some((at, Count::of_entry(entry, encoding)?)))
    }

    /// Number of entries that are not free.
    #[must_use]
    pub fn filled_count(self) -> usize {
        match self.layout() {
            USUAL => self.filled_count_by(USUAL),
            layout => self.filled_count_by(layout),
        }
    }

    #[inline(always)]
    fn filled_count_by(self, (encoding, size): (Encoding, usize)) -> usize {
        let is_filled = |entry: &&[u8]| Count::is_filled(entry, encoding);
        self.0.iter_by(size).filter(is_filled).count()
    }

    /// Visits counts that differ from what is known of them, which is then set to what they are now. Each of `known` has a
    /// position, the count that is known, and what the caller wants to be told with that one and the one of now. A thread
    /// that ends leaves its counts to another table: these are zero then, and others have grown.
    pub fn update<'k, T>(
        self,
        known: impl Iterator<Item = (usize, &'k mut u64, T)>,
        visit: impl FnMut(T, u64, u64),
    ) {
        match self.layout() {
            USUAL => self.update_by(USUAL, known, visit),
            layout => self.update_by(layout, known, visit),
        }
    }

    #[inline(always)]
    fn update_by<'k, T>(
        self,
        (encoding, size): (Encoding, usize),
        known: impl Iterator<Item = (usize, &'k mut u64, T)>,
        mut visit: impl FnMut(T, u64, u64),
    ) {
        for (position, known, told) in known {
            let Some(entry) = self.0.get_by(position, size) else { continue };
            let count = Count::value(entry, encoding);
            if count != *known {
                visit(told, core::mem::replace(known, count), count);
            }
        }
    }

    fn layout(self) -> (Encoding, usize) {
        (self.0.encoding(), self.0.size())
    }
}
