//! The threads whose stacks were sampled.

use super::{field, put};
use crate::Encoding;

/// A thread: an entry of a block of threads, whose position the nodes of stacks refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The number that the kernel gave it.
    pub id: u64,
    /// When it began, or when the profile did, in nanoseconds since the profile began.
    pub begun_ns: u64,
    /// When it ended, in nanoseconds since the profile began; 0 if it still ran at the end of it.
    pub ended_ns: u64,
    /// Time that it ran on a processor, in nanoseconds.
    pub cpu_ns: u64,
    /// Signals that sampled it.
    pub signals: u64,
    /// The sum over its signals of the square of what each counted, in the histogram's unit: with the
    /// number of signals it says how exact a share of the thread's time is.
    pub squared_weights: u64,
    /// Its name, padded with NUL.
    pub name: [u8; 16],
}

/// Offset of the name; the numbers before it have 64 bits.
const NAME_AT: usize = 48;

impl Thread {
    /// Size in bytes of an entry.
    pub const LEN: usize = 64;

    /// The entry's bytes. A thread with an id of 0 is a free entry.
    #[must_use]
    pub fn encode(&self, encoding: Encoding) -> [u8; Self::LEN] {
        let numbers = [
            self.id,
            self.begun_ns,
            self.ended_ns,
            self.cpu_ns,
            self.signals,
            self.squared_weights,
        ];
        let mut bytes = [0; Self::LEN];
        for (number, offset) in numbers.into_iter().zip((0..).step_by(8)) {
            put(&mut bytes, offset, &encoding.u64_bytes(number));
        }
        put(&mut bytes, NAME_AT, &self.name);
        bytes
    }

    /// The thread of an entry; `None` if it is free.
    #[must_use]
    pub fn decode(entry: &[u8], encoding: Encoding) -> Option<Self> {
        let number = |index: usize| encoding.u64(field(entry, 8 * index));
        (number(0) != 0).then(|| Self {
            id: number(0),
            begun_ns: number(1),
            ended_ns: number(2),
            cpu_ns: number(3),
            signals: number(4),
            squared_weights: number(5),
            name: field(entry, NAME_AT),
        })
    }

    /// The name without what pads it.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        self.name.split(|byte| *byte == 0).next().unwrap_or_default()
    }
}
