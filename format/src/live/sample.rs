//! Samples with their times: the rings in which each thread's samples lie one behind the other.

use super::{Entries, Kernel, field, put};
use crate::Encoding;

/// A sample: an entry of a block of samples.
///
/// An entry is two words of 64 bits. When a ring is full, its writer goes round and writes over the oldest entry, which
/// a reader may be looking at. So both words hold the number of the round: an entry whose words disagree was caught
/// between the two stores, and is none.
///
/// ```text
/// word 0:  microseconds << 8 | round
/// word 1:  node << 32 | weight << 12 | flags << 8 | round
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// When it was taken, in microseconds since the profile began.
    pub at_us: u64,
    /// The node of its stack, by the number that [`Content::Stacks`](super::Content::Stacks) gives the first of its block.
    pub node: u32,
    /// Its weight, in the histogram's unit. A sample of more is several entries.
    pub weight: u32,
    /// True if it is a look at the thread, and not only time that was found later for the look before it.
    pub is_look: bool,
    /// Work at which it found the kernel, if it did.
    pub kernel: Option<Kernel>,
}

/// Number of a round: 1 to 255, and 1 again. Memory that was never written has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round(u8);

const NODE: u32 = 32;
const WEIGHT: u32 = 12;
const FLAGS: u32 = 8;
const ROUND: u64 = 0xff;
/// The bit of the flags that says that it is a look.
const LOOK: u64 = 1;
/// Bits that say that the kernel was at a system call, and at a page that was not there.
const CALL: u64 = 2;
const FAULT: u64 = 4;

impl Round {
    /// The first one.
    pub const FIRST: Self = Self(1);

    /// Its bits in the words of an entry.
    pub const MASK: u64 = ROUND;

    /// The number of these bits, the lowest ones.
    pub const BITS: u32 = FLAGS;

    /// The round after `number` others.
    #[must_use]
    pub const fn after(number: usize) -> Self {
        Self((number % 255) as u8 + 1)
    }

    /// The number, as the words of an entry have it.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0 as u64
    }
}

impl Sample {
    /// Size of an entry in bytes.
    pub const LEN: usize = 16;

    /// The largest weight of an entry.
    pub const MOST_WEIGHT: u32 = (1 << (NODE - WEIGHT)) - 1;

    /// The words of the entry, the first one first. A weight that is too large is cut.
    #[must_use]
    #[inline]
    pub const fn words(&self, round: Round) -> [u64; 2] {
        let weight =
            if self.weight > Self::MOST_WEIGHT { Self::MOST_WEIGHT } else { self.weight } as u64;
        let kernel = match self.kernel {
            None => 0,
            Some(Kernel::Call) => CALL,
            Some(Kernel::Fault) => FAULT,
        };
        let flags = if self.is_look { LOOK | kernel } else { kernel };
        let node = (self.node as u64) << NODE;
        let round = round.number();
        [(self.at_us << FLAGS) | round, node | (weight << WEIGHT) | (flags << FLAGS) | round]
    }

    /// The sample of two words; `None` if the entry is free, or was being written.
    #[must_use]
    #[inline]
    pub const fn of_words([time, rest]: [u64; 2]) -> Option<Self> {
        if time & ROUND == 0 || time & ROUND != rest & ROUND {
            return None;
        }
        Some(Self {
            at_us: time >> FLAGS,
            node: (rest >> NODE) as u32,
            weight: (rest >> WEIGHT) as u32 & Self::MOST_WEIGHT,
            is_look: rest >> FLAGS & LOOK != 0,
            kernel: match rest >> FLAGS & (CALL | FAULT) {
                CALL => Some(Kernel::Call),
                FAULT => Some(Kernel::Fault),
                _ => None,
            },
        })
    }

    /// The entry's bytes.
    #[must_use]
    pub fn encode(&self, round: Round, encoding: Encoding) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        for (word, offset) in self.words(round).into_iter().zip([0, 8]) {
            put(&mut bytes, offset, &encoding.u64_bytes(word));
        }
        bytes
    }

    fn decode(entry: &[u8], encoding: Encoding) -> Option<Self> {
        Self::of_words([0, 8].map(|offset| encoding.u64(field(entry, offset))))
    }

    /// The samples of a block, in no order.
    pub(super) fn all(entries: Entries<'_>) -> impl Iterator<Item = Self> + '_ {
        let encoding = entries.encoding();
        entries.iter().filter_map(move |entry| Self::decode(entry, encoding))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: Sample = Sample {
        at_us: 0x12_3456_789a_bcde,
        node: 0xfedc_ba98,
        weight: Sample::MOST_WEIGHT,
        is_look: true,
        kernel: Some(Kernel::Fault),
    };

    #[test]
    fn words_come_back() {
        for sample in [
            SAMPLE,
            Sample { is_look: false, ..SAMPLE },
            Sample { kernel: Some(Kernel::Call), ..SAMPLE },
            Sample { at_us: 0, node: 0, weight: 0, is_look: false, kernel: None },
        ] {
            for number in [0, 1, 253, 254, 255, 256, 1 << 20] {
                let words = sample.words(Round::after(number));
                assert_eq!(Sample::of_words(words), Some(sample), "round {number}");
            }
        }
        let cut = Sample { weight: u32::MAX, ..SAMPLE };
        assert_eq!(Sample::of_words(cut.words(Round::FIRST)), Some(SAMPLE));
    }

    #[test]
    fn half_of_an_entry_is_none() {
        assert_eq!(Sample::of_words([0, 0]), None);
        let other = Sample { at_us: 7, node: 9, ..SAMPLE };
        for number in 0..600 {
            let [time, _] = SAMPLE.words(Round::after(number));
            let [_, rest] = other.words(Round::after(number + 1));
            assert_eq!(Sample::of_words([time, rest]), None);
            assert_eq!(Sample::of_words([time, 0]), None);
            assert_eq!(Sample::of_words([0, rest]), None);
        }
    }
}
