//! Stretches of time in which threads ran on no processor.

use super::{Entries, Round, field, put};
use crate::Encoding;

/// A stretch of a thread's time: an entry of a block of gaps.
///
/// Between the gaps of a thread it ran. The first entry of a thread says from when on that is known; short gaps are left
/// out. An entry is three words of 64 bits, each with the number of the round, as those of a [`Sample`](super::Sample).
///
/// ```text
/// word 0:  microseconds << 8 | round             its start
/// word 1:  microseconds << 8 | round             its end
/// word 2:  thread << 32 | kind << 8 | round
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Its start, in microseconds since the profile began.
    pub begun_us: u64,
    /// Its end.
    pub ended_us: u64,
    /// The position of its thread, as the nodes of stacks have it.
    pub thread: u32,
    /// Knowledge of it.
    pub kind: GapKind,
}

/// Knowledge of a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapKind {
    /// From its end on it is known when the thread runs; during it, it is not.
    Unknown,
    /// The thread waited for something.
    Waiting,
    /// Ability to run: others had the processors.
    Runnable,
}

const THREAD: u32 = 32;
const FLAGS: u32 = 8;
const ROUND: u64 = 0xff;
const WAITING: u64 = 1;
const RUNNABLE: u64 = 2;

impl Gap {
    /// Size of an entry in bytes.
    pub const LEN: usize = 24;

    /// The words of the entry, the first one first.
    #[must_use]
    #[inline]
    pub const fn words(&self, round: Round) -> [u64; 3] {
        let kind = match self.kind {
            GapKind::Unknown => 0,
            GapKind::Waiting => WAITING,
            GapKind::Runnable => RUNNABLE,
        };
        let thread = (self.thread as u64) << THREAD;
        let round = round.number();
        [
            (self.begun_us << FLAGS) | round,
            (self.ended_us << FLAGS) | round,
            thread | (kind << FLAGS) | round,
        ]
    }

    /// The gap of these words; `None` if the entry is free, or was being written.
    #[must_use]
    #[inline]
    pub const fn of_words([begun, ended, rest]: [u64; 3]) -> Option<Self> {
        let round = begun & ROUND;
        if round == 0 || round != ended & ROUND || round != rest & ROUND {
            return None;
        }
        let kind = match rest >> FLAGS & 0xff {
            WAITING => GapKind::Waiting,
            RUNNABLE => GapKind::Runnable,
            _ => GapKind::Unknown,
        };
        let (begun_us, ended_us) = (begun >> FLAGS, ended >> FLAGS);
        Some(Self { begun_us, ended_us, thread: (rest >> THREAD) as u32, kind })
    }

    /// The entry's bytes.
    #[must_use]
    pub fn encode(&self, round: Round, encoding: Encoding) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        for (word, offset) in self.words(round).into_iter().zip([0, 8, 16]) {
            put(&mut bytes, offset, &encoding.u64_bytes(word));
        }
        bytes
    }

    fn decode(entry: &[u8], encoding: Encoding) -> Option<Self> {
        Self::of_words([0, 8, 16].map(|offset| encoding.u64(field(entry, offset))))
    }

    /// The gaps of a block, in no order.
    pub(super) fn all(entries: Entries<'_>) -> impl Iterator<Item = Self> + '_ {
        let encoding = entries.encoding();
        entries.iter().filter_map(move |entry| Self::decode(entry, encoding))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_and_parts_of_them_do_not() {
        let gap = Gap {
            begun_us: u64::MAX >> 8,
            ended_us: 12,
            thread: u32::MAX,
            kind: GapKind::Runnable,
        };
        for gap in [
            gap,
            Gap { kind: GapKind::Waiting, begun_us: 0, ..gap },
            Gap { kind: GapKind::Unknown, thread: 1, ..gap },
        ] {
            for number in 0..600 {
                let words = gap.words(Round::after(number));
                assert_eq!(Gap::of_words(words), Some(gap));
                let [begun, ended, rest] = gap.words(Round::after(number + 1));
                for torn in [
                    [begun, words[1], words[2]],
                    [begun, ended, words[2]],
                    [words[0], words[1], rest],
                    [begun, ended, 0],
                    [0, 0, 0],
                ] {
                    assert_eq!(Gap::of_words(torn), None);
                }
            }
        }
    }
}
