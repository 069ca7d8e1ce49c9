//! The part of a live file by which other processes steer the program, and see whether it counts.
//!
//! This part lies in the page of the header, whose rest is zero. The program writes all of it but one word: the
//! [`Request`], which whoever has the right to write the file replaces at a stroke. The program looks at it now
//! and then, does what it says, and answers with the number of the request. A request that comes before the
//! last was answered takes its place.

use super::{field, put};
use crate::Encoding;

/// The first bytes of the part.
const MAGIC: [u8; 8] = *b"gmonctrl";

/// The version that this crate writes and reads.
const VERSION: u64 = 2;

/// Offset of the part from the start of the file, in bytes.
const AT: usize = 1024;

/// Offsets of the fields from the start of the part, in bytes. All are numbers of 64 bits.
const VERSION_AT: usize = 8;
const SWITCH_AT: usize = 16;
const RATE_AT: usize = 24;
const RESETS_AT: usize = 32;
const ANSWER_AT: usize = 40;
const HOOKS_AT: usize = 48;
const BLOCKS_AT: usize = 56;
/// On a cache line that the program seldom writes.
const REQUEST_AT: usize = 64;
const TIMED_AT: usize = 72;
/// Offset of a request's list.
const LIST_AT: usize = 128;

/// Addresses that a request lists at most: what is left of the header's page.
const MOST_LISTED: usize = (super::ALIGNMENT - AT - LIST_AT) / size_of::<u32>();

/// State of counting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Switch {
    /// Deaf to requests, or without a profile any more.
    #[default]
    Deaf,
    /// Counting.
    On,
    /// Not counting, and waiting to be switched on.
    Off,
}

/// The program's account of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// State of counting.
    pub switch: Switch,
    /// Samples per second that are asked for.
    pub rate: u32,
    /// Number of times the counts were set to zero.
    pub resets: u64,
    /// Hooks that sleep unless somebody wakes them, and are awake.
    pub hooks: u64,
    /// Functions whose calls are timed; `None` if that cannot be switched.
    pub timed: Option<u32>,
    /// Number of blocks that the program has made in the file; 0 if it does not tell.
    pub blocks: u64,
    /// The last request that was carried out; its number is 0 if there was none.
    pub answer: Answer,
}

/// Action for the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Count.
    On,
    /// Count no longer, until it is switched on.
    Off,
    /// Set all counts to zero.
    Reset,
    /// Take so many samples per second, and begin again from zero.
    Rate(u32),
    /// Wake the hooks of so many functions, whose addresses in the program's file are in the [list](Control::LIST_AT), and
    /// count.
    Wake(u32),
    /// Put the hooks of so many functions to sleep.
    Sleep(u32),
    /// Time the calls of functions, whose first and last addresses by turns are so many numbers of the list, and count.
    Time(u32),
    /// Time the calls of such functions no longer.
    Untime(u32),
}

/// An action and a number, which is not 0 and differs from that of the request before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The number.
    pub number: u32,
    /// The action.
    pub action: Action,
}

/// Result of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The number of the request.
    pub number: u32,
    /// True if the program could not do it.
    pub is_refused: bool,
}

impl Control {
    /// Offset of the word of the [`Request`] from the start of the file, in bytes.
    pub const REQUEST_AT: usize = AT + REQUEST_AT;

    /// Offset of the word of the [`Answer`].
    pub const ANSWER_AT: usize = AT + ANSWER_AT;

    /// Offset of the number of [resets](Self::resets).
    pub const RESETS_AT: usize = AT + RESETS_AT;

    /// Offset of the number of [blocks](Self::blocks). It grows once a block is there.
    pub const BLOCKS_AT: usize = AT + BLOCKS_AT;

    /// Offset of the addresses that a request lists, as numbers of 32 bits. To be written before the request.
    pub const LIST_AT: usize = AT + LIST_AT;

    /// Addresses that a request lists at most.
    pub const MOST_LISTED: usize = MOST_LISTED;

    /// Bytes of a file that have everything but the list.
    pub const END: usize = AT + TIMED_AT + 8;

    /// The words that the program writes when something has changed, each with its place in bytes from the start of the
    /// file. The first makes the part known, and is to be written last.
    #[must_use]
    pub fn words(switch: Switch, rate: u32, hooks: u64, timed: Option<u32>) -> [(usize, u64); 6] {
        [
            (AT, u64::from_ne_bytes(MAGIC)),
            (AT + VERSION_AT, VERSION),
            (AT + SWITCH_AT, switch.number()),
            (AT + RATE_AT, rate.into()),
            (AT + HOOKS_AT, hooks),
            (AT + TIMED_AT, timed.map_or(0, |timed| u64::from(timed) + 1)),
        ]
    }

    /// Reads the first bytes of a live file; `None` if it has no such part, or one of another version.
    #[must_use]
    pub fn decode(file: &[u8], encoding: Encoding) -> Option<Self> {
        let number = |at| encoding.u64(field(file, AT + at));
        if field(file, AT) != MAGIC || number(VERSION_AT) != VERSION {
            return None;
        }
        Some(Self {
            switch: Switch::of(number(SWITCH_AT)),
            rate: u32::try_from(number(RATE_AT)).unwrap_or(u32::MAX),
            resets: number(RESETS_AT),
            hooks: number(HOOKS_AT),
            timed: number(TIMED_AT).checked_sub(1).and_then(|timed| u32::try_from(timed).ok()),
            blocks: number(BLOCKS_AT),
            answer: Answer::of_word(number(ANSWER_AT)),
        })
    }

    /// The request in the first bytes of a file, answered or not.
    #[must_use]
    pub fn request(file: &[u8], encoding: Encoding) -> Option<Request> {
        Request::of_word(encoding.u64(field(file, Self::REQUEST_AT)))
    }

    /// Puts the part into the first bytes of a file, as a program would.
    pub fn put_into(&self, file: &mut [u8], encoding: Encoding) {
        let [(_, _), words @ ..] = Self::words(self.switch, self.rate, self.hooks, self.timed);
        put(file, AT, &MAGIC);
        let own = [
            (Self::RESETS_AT, self.resets),
            (Self::BLOCKS_AT, self.blocks),
            (Self::ANSWER_AT, self.answer.word()),
        ];
        for (at, word) in words.into_iter().chain(own) {
            put(file, at, &encoding.u64_bytes(word));
        }
    }
}

impl Switch {
    const fn number(self) -> u64 {
        match self {
            Self::Deaf => 0,
            Self::On => 1,
            Self::Off => 2,
        }
    }

    fn of(number: u64) -> Self {
        match number {
            1 => Self::On,
            2 => Self::Off,
            _ => Self::Deaf,
        }
    }
}

/// The largest argument of an action, which has 24 bits of the request's word.
const LARGEST: u32 = (1 << 24) - 1;

impl Request {
    /// The word in the file: number, action and argument.
    #[must_use]
    pub fn word(self) -> u64 {
        let (action, argument) = match self.action {
            Action::On => (1, 0),
            Action::Off => (2, 0),
            Action::Reset => (3, 0),
            Action::Rate(rate) => (4, rate.min(LARGEST)),
            Action::Wake(count) => (5, count.min(LARGEST)),
            Action::Sleep(count) => (6, count.min(LARGEST)),
            Action::Time(count) => (7, count.min(LARGEST)),
            Action::Untime(count) => (8, count.min(LARGEST)),
        };
        u64::from(self.number) << 32 | action << 24 | u64::from(argument)
    }

    /// The request of a word; `None` if there is none, or one that only a later version knows.
    #[must_use]
    pub fn of_word(word: u64) -> Option<Self> {
        let argument = word as u32 & LARGEST;
        let action = match (word >> 24) as u8 {
            1 => Action::On,
            2 => Action::Off,
            3 => Action::Reset,
            4 => Action::Rate(argument),
            5 => Action::Wake(argument),
            6 => Action::Sleep(argument),
            7 => Action::Time(argument),
            8 => Action::Untime(argument),
            _ => return None,
        };
        let number = (word >> 32) as u32;
        (number != 0).then_some(Self { number, action })
    }
}

impl Answer {
    /// The word in the file.
    #[must_use]
    pub fn word(self) -> u64 {
        u64::from(self.number) << 32 | u64::from(self.is_refused)
    }

    /// The answer of a word.
    #[must_use]
    pub fn of_word(word: u64) -> Self {
        Self { number: (word >> 32) as u32, is_refused: word as u32 != 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_answers_come_back() {
        let most = Control::MOST_LISTED as u32;
        let listed = [Action::Wake(1), Action::Sleep(most), Action::Time(2), Action::Untime(most)];
        let actions = [Action::On, Action::Off, Action::Reset, Action::Rate(10_000)];
        for action in actions.into_iter().chain(listed) {
            for number in [1, u32::MAX] {
                let request = Request { number, action };
                assert_eq!(Request::of_word(request.word()), Some(request));
            }
        }
        for word in [0, 1 << 24, 1 << 32, 1 << 32 | 9 << 24] {
            assert_eq!(Request::of_word(word), None, "{word:#x}");
        }
        for is_refused in [false, true] {
            let answer = Answer { number: 7, is_refused };
            assert_eq!(Answer::of_word(answer.word()), answer);
        }
    }

    #[test]
    fn part_comes_back_in_any_encoding() {
        use crate::{ByteOrder, WordSize};
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let encoding = Encoding { word: WordSize::Eight, order };
            let mut file = [0; Control::END];
            assert_eq!(Control::decode(&file, encoding), None);
            let answer = Answer { number: 3, is_refused: true };
            for timed in [None, Some(0), Some(u32::MAX)] {
                let control = Control {
                    switch: Switch::Off,
                    rate: 1000,
                    resets: 2,
                    hooks: 3,
                    timed,
                    blocks: 4,
                    answer,
                };
                control.put_into(&mut file, encoding);
                assert_eq!(Control::decode(&file, encoding), Some(control));
                assert_eq!(Control::request(&file, encoding), None);
            }
        }
    }
}
