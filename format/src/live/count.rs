//! The entries of a table of arcs.

use super::{field, put, word};
use crate::{Block, Encoding, LoadedArc, LoadedPc, ReturnPc, SelfPc, WordSize};

/// Thing that an entry of a block of arcs counts, in any module of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Calls.
    Calls(LoadedArc),
    /// Executions of a basic block.
    Executions(Block<LoadedPc>),
}

impl Count {
    /// Size in bytes of the largest entry.
    pub const MOST_LEN: usize = Self::len(WordSize::Eight);

    /// Size in bytes of an entry's fields.
    #[must_use]
    pub const fn len(word: WordSize) -> usize {
        2 * word.bytes() + 8
    }

    /// The bytes of an entry, followed by zeros where it is not one of the largest.
    #[must_use]
    pub fn encode(&self, encoding: Encoding) -> [u8; Self::MOST_LEN] {
        let size = encoding.word.bytes();
        let (self_pc, from_pc, count) = match *self {
            Self::Calls(LoadedArc { return_pc: ReturnPc(from_pc), self_pc: SelfPc(pc), count }) => {
                (pc.0, from_pc.0, count)
            }
            Self::Executions(Block { pc, count }) => (pc.0, nowhere(encoding), count),
        };
        let mut bytes = [0; Self::MOST_LEN];
        for (offset, value) in [(0, self_pc), (size, from_pc)] {
            match encoding.word {
                WordSize::Four => put(&mut bytes, offset, &encoding.u32_bytes(value as u32)),
                WordSize::Eight => put(&mut bytes, offset, &encoding.u64_bytes(value)),
            }
        }
        put(&mut bytes, 2 * size, &encoding.u64_bytes(count));
        bytes
    }

    /// The count of an entry; `None` if it is free or not filled yet, or counts nothing.
    pub(super) fn decode(entry: &[u8], encoding: Encoding) -> Option<Self> {
        Self::of_entry(entry, encoding).filter(|count| match count {
            Self::Calls(arc) => arc.count != 0,
            Self::Executions(block) => block.count != 0,
        })
    }

    /// The count of an entry, which may be zero; `None` if it is free or not filled yet.
    #[inline]
    pub(super) fn of_entry(entry: &[u8], encoding: Encoding) -> Option<Self> {
        // Most entries are free.
        if !Self::is_filled(entry, encoding) {
            return None;
        }
        let pc = LoadedPc(word(encoding, entry, 0));
        let from_pc = word(encoding, entry, encoding.word.bytes());
        let count = Self::value(entry, encoding);
        Some(if from_pc == nowhere(encoding) {
            Self::Executions(Block { pc, count })
        } else {
            let return_pc = ReturnPc(LoadedPc(from_pc));
            Self::Calls(LoadedArc { return_pc, self_pc: SelfPc(pc), count })
        })
    }

    /// Returns `true` if an entry is neither free nor just being filled.
    #[inline]
    pub(super) fn is_filled(entry: &[u8], encoding: Encoding) -> bool {
        word(encoding, entry, 0) > 1
    }

    /// Count of an entry.
    #[inline]
    pub(super) fn value(entry: &[u8], encoding: Encoding) -> u64 {
        let len = Self::len(encoding.word);
        // Both may be read while the program sets counts to zero. Where there is no second number, it is zero.
        let [count, forgotten] = [len - 8, len].map(|at| encoding.u64(field(entry, at)));
        count.saturating_sub(forgotten)
    }
}

/// The return address of no call, which marks the count of a basic block.
fn nowhere(encoding: Encoding) -> u64 {
    encoding.word.largest()
}
