//! The counts of one block, which stay where they are.

use super::{Block, Count};
use crate::{Encoding, LoadedArc};

/// A table of counts.
#[derive(Clone, Copy, Debug)]
pub struct Counts<'a> {
    encoding: Encoding,
    entry_len: usize,
    bytes: &'a [u8],
}

impl<'a> Counts<'a> {
    pub(super) fn new(encoding: Encoding, block: Block, bytes: &'a [u8]) -> Self {
        Self { encoding, entry_len: block.entry_len.max(1) as usize, bytes }
    }

    /// How many positions there are, also those of free entries.
    #[must_use]
    pub fn positions(self) -> usize {
        self.bytes.len() / self.entry_len
    }

    /// The calls with their positions, also those whose count is zero now. A thread that ends leaves its counts to another
    /// table: these are zero then, and others have grown.
    pub fn arcs(self) -> impl Iterator<Item = (u32, LoadedArc)> + 'a {
        let entries = (0..).zip(self.bytes.chunks_exact(self.entry_len));
        entries.filter_map(move |(position, entry)| match Count::of_entry(entry, self.encoding)? {
            Count::Calls(arc) => Some((position, arc)),
            Count::Executions(_) => None,
        })
    }
}
