//! Times of calls: a histogram for each function and thread.

use super::{Entries, field, put};
use crate::{Encoding, LoadedPc};

/// The times that a thread's calls of a function took: an entry of a block of times.
///
/// An entry is a head of eight words of 64 bits, [`BUCKETS`](Self::BUCKETS) numbers of 32 bits, and a word of 64 bits behind
/// them. The program adds to them as they lie there; whoever reads meanwhile finds each number as it was or is.
///
/// ```text
/// words 0, 1: address in the function, the thread's id or, in a sum, its position
/// words 2, 3: calls that were timed, calls that never ended
/// words 4, 5: the sum of all times in nanoseconds, the longest
/// words 6, 7: every so many calls are timed, less one; calls seen
/// last word:  the address to which the calls returned; 0 for those whose callers are not told apart
/// ```
///
/// A function whose calls are timed by caller has an entry for each such address, and one for all other calls: their sum is all of
/// its calls. Files of earlier versions have no last word.
///
/// If only every n-th call is timed, each stands for n calls in the sum and in its bucket.
#[derive(Clone, Copy, Debug)]
pub struct Timing<'a> {
    /// An address in the function.
    pub function: LoadedPc,
    /// The address to which the calls returned; `None` if their callers are not told apart.
    pub caller: Option<LoadedPc>,
    /// The kernel's id of the thread; in a sum, where several may have one id, [its position](Self::thread_at).
    pub thread: u64,
    /// Number of calls that were timed.
    pub timed: u64,
    /// Number of calls whose end was never seen: exceptions and `longjmp` left them, or the thread ended.
    pub without_end: u64,
    /// The sum of the times of all calls, in nanoseconds.
    pub total_ns: u64,
    /// The longest time, in nanoseconds.
    pub longest_ns: u64,
    /// Every so many calls were timed when the program last decided.
    pub every: u64,
    encoding: Encoding,
    buckets: &'a [u8],
}

const WORDS: usize = 8;
const HEAD: usize = 8 * WORDS;
/// Number of buckets, and bytes of an entry.
const BUCKETS: usize = 1024;
const CALLER_AT: usize = HEAD + 4 * BUCKETS;
const LEN: usize = CALLER_AT + 8;

/// The width of the first buckets is 2^3 nanoseconds; of further ones there are 2^5 for each power of two.
const FINEST: u32 = 3;
const PARTS: u32 = 5;
/// The power of two from which on buckets become wider.
const LINEAR: u32 = FINEST + PARTS;

impl<'a> Timing<'a> {
    /// A call that takes so many nanoseconds is noted by itself as well, as a [`Mark`](super::Mark).
    pub const LONG_NS: u64 = 1_000_000;

    /// Number of buckets.
    pub const BUCKETS: usize = BUCKETS;

    /// Size of an entry in bytes.
    pub const LEN: usize = LEN;

    /// Size of an entry that has no caller, as earlier versions wrote them.
    pub(super) const LEN_WITHOUT_CALLER: usize = CALLER_AT;

    /// The longest time that has a bucket of its own, in nanoseconds: nine minutes. Longer ones are in the last bucket.
    pub const MOST_NS: u64 = (1 << (LINEAR + Self::BUCKETS as u32 / (1 << PARTS) - 1)) - 1;

    /// The bucket of a time in nanoseconds.
    #[must_use]
    #[inline]
    pub const fn bucket_of(ns: u64) -> usize {
        let ns = if ns < Self::MOST_NS { ns } else { Self::MOST_NS };
        let power = (ns | 1 << LINEAR).ilog2();
        (((power - LINEAR) as usize) << PARTS) + (ns >> (power - PARTS)) as usize
    }

    /// The times that are in a bucket, in nanoseconds: the first, and the first behind them.
    #[must_use]
    pub const fn bounds_of(bucket: usize) -> (u64, u64) {
        let parts = 1 << PARTS;
        let (rest, shift) = match bucket / parts {
            0 => (bucket % parts, FINEST),
            power => (bucket % parts + parts, power as u32 - 1 + FINEST),
        };
        ((rest as u64) << shift, (rest as u64 + 1) << shift)
    }

    /// The buckets in which there are calls, and how many.
    pub fn buckets(&self) -> impl Iterator<Item = (usize, u32)> + Clone + 'a {
        let encoding = self.encoding;
        let counts = self.buckets.chunks_exact(4).map(move |bytes| encoding.u32(field(bytes, 0)));
        counts.enumerate().filter(|(_, count)| *count != 0)
    }

    /// Stands for the thread at a position among those of the file. It is no id of any kernel.
    #[must_use]
    pub const fn thread_at(position: u64) -> u64 {
        1 << 63 | position
    }

    /// The bytes of an entry: addresses of function and caller, and the thread; calls timed and without end; the sum of the
    /// times and the longest; every so many calls timed; and the calls of buckets.
    #[must_use]
    pub fn encode(
        (function, caller, thread): (LoadedPc, Option<LoadedPc>, u64),
        [timed, without_end, total_ns, longest_ns, every]: [u64; 5],
        buckets: impl Iterator<Item = (usize, u32)>,
        encoding: Encoding,
    ) -> [u8; LEN] {
        let words =
            [function.0, thread, timed, without_end, total_ns, longest_ns, every.saturating_sub(1)];
        let mut bytes = [0; LEN];
        for (word, offset) in words.into_iter().zip((0..).step_by(8)) {
            put(&mut bytes, offset, &encoding.u64_bytes(word));
        }
        for (bucket, calls) in buckets.filter(|(bucket, _)| *bucket < Self::BUCKETS) {
            put(&mut bytes, HEAD + 4 * bucket, &encoding.u32_bytes(calls));
        }
        put(&mut bytes, CALLER_AT, &encoding.u64_bytes(caller.map_or(0, |pc| pc.0)));
        bytes
    }

    fn decode(entry: &'a [u8], encoding: Encoding) -> Option<Self> {
        let word = |index: usize| encoding.u64(field(entry, 8 * index));
        let function = LoadedPc(word(0));
        let caller = LoadedPc(encoding.u64(field(entry, CALLER_AT)));
        (function.0 != 0).then(|| Self {
            function,
            caller: Some(caller).filter(|pc| pc.0 != 0),
            thread: word(1),
            timed: word(2),
            without_end: word(3),
            total_ns: word(4),
            longest_ns: word(5),
            every: word(6).saturating_add(1),
            encoding,
            buckets: entry.get(HEAD..CALLER_AT).unwrap_or_default(),
        })
    }

    /// The times of a block.
    pub(super) fn all(entries: Entries<'a>) -> impl Iterator<Item = Self> {
        let encoding = entries.encoding();
        entries.iter().filter_map(move |entry| Self::decode(entry, encoding))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_follow_each_other_and_are_narrow() {
        let mut next = 0;
        for bucket in 0..Timing::BUCKETS {
            let (first, end) = Timing::bounds_of(bucket);
            assert_eq!(first, next, "{bucket}");
            assert_eq!((Timing::bucket_of(first), Timing::bucket_of(end - 1)), (bucket, bucket));
            assert!(end - first <= 8 || (end - first) * 32 <= first, "{bucket}");
            next = end;
        }
        assert_eq!(next - 1, Timing::MOST_NS);
        assert_eq!(Timing::bucket_of(u64::MAX), Timing::BUCKETS - 1);
    }
}
