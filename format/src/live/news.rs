//! Nodes of a large table of stacks that were counted last.
//!
//! A table may have millions of nodes, of which a sample counts one. Who follows a running program reads these words and the
//! nodes that they name, not all of them again.

use super::field;
use crate::Encoding;

/// Words behind the nodes of a block of stacks: 32-bit words, of which the first says how often nodes were counted. The
/// others are a ring of the positions counted last: that of count `n` is in the place `n` modulo their number. The
/// first word wraps, and is written after the place.
#[derive(Clone, Copy, Debug)]
pub struct News<'a> {
    encoding: Encoding,
    bytes: &'a [u8],
}

/// Bytes of a word.
const WORD: usize = 4;

impl<'a> News<'a> {
    /// Number of words that a table of so many nodes has: none if it is small.
    #[must_use]
    pub const fn words(nodes: u64) -> usize {
        const LEAST_NODES: u64 = 4096;
        const NODES_FOR_ONE: u64 = 16;
        const MOST: u64 = 4096;
        let words = if nodes / NODES_FOR_ONE < MOST { nodes / NODES_FOR_ONE } else { MOST };
        if nodes < LEAST_NODES { 0 } else { words as usize }
    }

    pub(super) fn new(encoding: Encoding, bytes: &'a [u8]) -> Self {
        Self { encoding, bytes }
    }

    /// Number of times that nodes were counted; `None` if nobody keeps that.
    #[must_use]
    pub fn counted(self) -> Option<u32> {
        (self.places() > 0).then(|| self.word(0))
    }

    /// The positions of the nodes that were counted since [`counted`](Self::counted) was `earlier`, perhaps several times;
    /// `None` if that is too long ago.
    pub fn since(self, earlier: u32) -> Option<impl Iterator<Item = u32> + 'a> {
        let (places, counted) = (self.places(), self.counted()?);
        let since = counted.wrapping_sub(earlier);
        // While the words are read, the program may go on to write the oldest.
        let is_known = since as usize <= places - places / 8;
        let place = move |number: u32| 1 + (number as usize).checked_rem(places).unwrap_or(0);
        let numbers = (0..since).map(move |number| earlier.wrapping_add(number));
        is_known.then(|| numbers.map(move |number| self.word(place(number))))
    }

    fn places(self) -> usize {
        (self.bytes.len() / WORD).saturating_sub(1)
    }

    fn word(self, number: usize) -> u32 {
        self.encoding.u32(field(self.bytes, number * WORD))
    }
}
