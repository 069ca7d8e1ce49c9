//! Moments and phases that a program marks itself, and timed calls that took long.

use super::{Entries, Round, field, put};
use crate::{Encoding, LoadedPc};

/// A moment or a phase with its name: an entry of a block of marks.
///
/// An entry is twelve words of 64 bits, each of which holds the number of the round in its lowest byte, as those of
/// a [`Sample`](super::Sample) do: an entry whose words disagree was caught while it was written, and is none.
///
/// ```text
/// word 0:      nanoseconds << 8 | round            when it began
/// word 1:      nanoseconds << 8 | round            when it ended; 0 for a phase that has not
/// word 2:      thread << 32 | flags << 8 | round   the position of the thread's entry
/// words 3 …:   seven bytes of the name << 8 | round
/// ```
///
/// A call has the bytes of an address in its function in the place of a name, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// When it began, in nanoseconds since the profile began.
    pub begun_ns: u64,
    /// When it ended; `None` for a phase that has not.
    pub ended_ns: Option<u64>,
    /// True if it is a moment, which has no length.
    pub is_moment: bool,
    /// The position of its thread, as the nodes of stacks have it.
    pub thread: u32,
    is_call: bool,
    name: [u8; Self::MOST_NAME],
}

/// The kind of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A moment, which has no length.
    Moment,
    /// A phase.
    Phase,
    /// A call that took long.
    Call,
}

const WORDS: usize = 12;
/// The words before the name.
const FIRST: usize = 3;
const THREAD: u32 = 32;
const FLAGS: u32 = 8;
const ROUND: u64 = 0xff;
/// The bits of the flags that say that it is a moment, or a call.
const MOMENT: u64 = 1;
const CALL: u64 = 2;
/// Bytes of the name in a word.
const BYTES: usize = 7;

impl Mark {
    /// Size of an entry in bytes.
    pub const LEN: usize = 8 * WORDS;

    /// Bytes of the longest name. Of a longer one there are as many.
    pub const MOST_NAME: usize = BYTES * Self::NAME_WORDS;

    /// Words of a name.
    pub const NAME_WORDS: usize = WORDS - FIRST;

    /// The word of the entry that says when it ended.
    pub const END: usize = 1;

    /// A mark.
    #[must_use]
    pub fn new(
        (begun_ns, ended_ns): (u64, Option<u64>),
        is_moment: bool,
        thread: u32,
        name: &[u8],
    ) -> Self {
        let mut bytes = [0; Self::MOST_NAME];
        bytes.iter_mut().zip(name).for_each(|(place, byte)| *place = *byte);
        Self { begun_ns, ended_ns, is_moment, thread, is_call: false, name: bytes }
    }

    /// A call of the function with this address.
    #[must_use]
    pub fn of_call((begun_ns, ended_ns): (u64, u64), thread: u32, function: LoadedPc) -> Self {
        let name = function.0.to_le_bytes();
        Self { is_call: true, ..Self::new((begun_ns, Some(ended_ns)), false, thread, &name) }
    }

    /// The function, of a call.
    #[must_use]
    pub fn function(&self) -> Option<LoadedPc> {
        let address = self.name.first_chunk().map(|bytes| LoadedPc(u64::from_le_bytes(*bytes)));
        address.filter(|_| self.is_call)
    }

    fn kind(&self) -> MarkKind {
        match (self.is_moment, self.is_call) {
            (true, _) => MarkKind::Moment,
            (false, true) => MarkKind::Call,
            (false, false) => MarkKind::Phase,
        }
    }

    /// The name, up to its first NUL.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        self.name.split(|byte| *byte == 0).next().unwrap_or_default()
    }

    /// The word of a time, without its round.
    #[must_use]
    #[inline]
    pub const fn time_word(ns: u64) -> u64 {
        ns << FLAGS
    }

    /// The words of a name, without their round.
    #[inline]
    pub fn packed(mut name: impl Iterator<Item = u8>) -> [u64; Self::NAME_WORDS] {
        let mut words = [0; Self::NAME_WORDS];
        for word in &mut words {
            for byte in 1..=BYTES {
                let Some(next) = name.next() else { return words };
                *word |= u64::from(next) << (8 * byte);
            }
        }
        words
    }

    /// The words of an entry, without their round.
    #[must_use]
    #[inline]
    pub fn raw(
        begun_ns: u64,
        ended_ns: u64,
        kind: MarkKind,
        thread: u32,
        name: [u64; Self::NAME_WORDS],
    ) -> [u64; WORDS] {
        let flags = match kind {
            MarkKind::Moment => MOMENT,
            MarkKind::Phase => 0,
            MarkKind::Call => CALL,
        };
        let mut words = [0; WORDS];
        let numbers = [
            Self::time_word(begun_ns),
            Self::time_word(ended_ns),
            (u64::from(thread) << THREAD) | (flags << FLAGS),
        ];
        words.iter_mut().zip(numbers.into_iter().chain(name)).for_each(|(to, from)| *to = from);
        words
    }

    /// The words of the entry, the first one first.
    #[must_use]
    pub fn words(&self, round: Round) -> [u64; WORDS] {
        let name = Self::packed(self.name.iter().copied());
        let ended = self.ended_ns.unwrap_or(0);
        let words = Self::raw(self.begun_ns, ended, self.kind(), self.thread, name);
        words.map(|word| word | round.number())
    }

    /// The mark of these words; `None` if the entry is free, or was being written.
    #[must_use]
    pub fn of_words(words: &[u64; WORDS]) -> Option<Self> {
        let round = words[0] & ROUND;
        if round == 0 || words.iter().any(|word| word & ROUND != round) {
            return None;
        }
        let mut name = [0; Self::MOST_NAME];
        for (bytes, word) in name.chunks_exact_mut(BYTES).zip(&words[FIRST..]) {
            bytes
                .iter_mut()
                .zip(word.to_le_bytes().iter().skip(1))
                .for_each(|(to, from)| *to = *from);
        }
        Some(Self {
            begun_ns: words[0] >> FLAGS,
            ended_ns: Some(words[1] >> FLAGS).filter(|ended| *ended != 0),
            is_moment: words[2] >> FLAGS & MOMENT != 0,
            thread: (words[2] >> THREAD) as u32,
            is_call: words[2] >> FLAGS & CALL != 0,
            name,
        })
    }

    /// The entry's bytes.
    #[must_use]
    pub fn encode(&self, round: Round, encoding: Encoding) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        for (word, offset) in self.words(round).into_iter().zip((0..).step_by(8)) {
            put(&mut bytes, offset, &encoding.u64_bytes(word));
        }
        bytes
    }

    fn decode(entry: &[u8], encoding: Encoding) -> Option<Self> {
        Self::of_words(&core::array::from_fn(|word| encoding.u64(field(entry, 8 * word))))
    }

    /// The marks of a block, in no order.
    pub(super) fn all(entries: Entries<'_>) -> impl Iterator<Item = Self> + '_ {
        let encoding = entries.encoding();
        entries.iter().filter_map(move |entry| Self::decode(entry, encoding))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks() -> [Mark; 4] {
        let all: [u8; Mark::MOST_NAME] = core::array::from_fn(|at| at as u8 + 193);
        [
            Mark::new((5, Some(77)), false, 9, b"load"),
            Mark::new((u64::MAX >> 8, None), false, u32::MAX, &all),
            Mark::new((1, Some(1)), true, 1, b""),
            Mark::of_call((3, 9), 7, LoadedPc(0x7fff_1234_5678_9abc)),
        ]
    }

    #[test]
    fn marks_come_back() {
        for mark in marks() {
            for number in [0, 1, 254, 255, 1 << 20] {
                assert_eq!(Mark::of_words(&mark.words(Round::after(number))), Some(mark));
            }
        }
        assert_eq!((marks()[0].name(), marks()[0].function()), (&b"load"[..], None));
        assert_eq!(marks()[3].function(), Some(LoadedPc(0x7fff_1234_5678_9abc)));
        let long = Mark::new((0, None), false, 0, &[b'x'; 100]);
        assert_eq!(long.name(), [b'x'; Mark::MOST_NAME]);
    }

    #[test]
    fn a_part_of_an_entry_is_none() {
        let [old, new, ..] = marks();
        for number in 0..300 {
            let (before, after) =
                (old.words(Round::after(number)), new.words(Round::after(number + 1)));
            for end in 1..WORDS {
                let mut torn = before;
                torn[..end].copy_from_slice(&after[..end]);
                assert_eq!(Mark::of_words(&torn), None);
                let mut begun = [0; WORDS];
                begun[..end].copy_from_slice(&after[..end]);
                assert_eq!(Mark::of_words(&begun), None);
            }
        }
    }

    #[test]
    fn an_end_is_one_word() {
        let [_, open, ..] = marks();
        let round = Round::after(7);
        let mut words = open.words(round);
        words[Mark::END] = Mark::time_word(1234) | round.number();
        assert_eq!(Mark::of_words(&words), Some(Mark { ended_ns: Some(1234), ..open }));
    }
}
