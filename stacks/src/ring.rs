//! The samples of a thread with their times, and other things that have times: what `GMON_OPTIONS=record` asks for.
//!
//! A ring is a queue of pieces of memory, each with entries one behind the other. When the newest is full, the writer takes
//! another from the system, up to the limit for all threads together; then, or when the oldest samples are older than
//! anybody asked for, it goes over its own oldest piece again. Every weight that is added to a node is an entry, so that what
//! the entries count is what the trees count, as long as nothing was written over.
//!
//! The holder of the recorder writes; readers look at any time, and at what a killed process left: an entry that was caught
//! between its two words is none ([`Sample`]).
//!
//! *Context:* signal; reading also exit.

use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use gmon_format::live::{Block, Content, Gap, Kernel, Mark, Round, Sample};
use gmon_system::atomic::AtomicU64;
use gmon_system::region::Region;

use super::clock;

/// The ring of a thread, or of several that were one after the other, whose entries have so many words. Empty when zero.
pub(super) struct Ring<const WORDS: usize> {
    oldest: AtomicPtr<Piece<WORDS>>,
    newest: AtomicPtr<Piece<WORDS>>,
}

/// Words of an entry of a sample.
pub const SAMPLE: usize = Sample::LEN / 8;
/// Words of an entry of a gap.
pub const GAP: usize = Gap::LEN / 8;

/// The head of a piece, before its entries.
#[repr(C, align(64))]
pub(super) struct Piece<const WORDS: usize> {
    /// Entries that there is room for.
    capacity: AtomicUsize,
    /// Entries that were written in this round.
    used: AtomicUsize,
    /// Rounds that went before.
    rounds: AtomicUsize,
    /// The piece that came after it.
    newer: AtomicPtr<Self>,
}

/// An entry, as it lies in a file.
#[repr(C)]
pub struct Entry<const WORDS: usize>([AtomicU64; WORDS]);

/// Bytes of the first piece of a thread, and of the others: with the head of its block in a live file they are whole pages.
const FIRST: usize = (4 << 10) - Block::LEN;
const NEXT: usize = (64 << 10) - Block::LEN;

/// True if samples are kept.
static IS_ON: AtomicBool = AtomicBool::new(false);

/// Microseconds for which they are wanted; 0 for all.
static WANTED_US: AtomicU64 = AtomicU64::new(0);

/// Bytes that all pieces together have, and may have.
static BYTES: AtomicUsize = AtomicUsize::new(0);
static MOST_BYTES: AtomicUsize = AtomicUsize::new(0);

/// Keeps samples from now on: those of so many seconds, or all for 0, in so many bytes.
pub(super) fn begin(seconds: u32, bytes: usize) {
    MOST_BYTES.store(bytes, Ordering::Relaxed);
    WANTED_US.store(u64::from(seconds) * 1_000_000, Ordering::Relaxed);
    IS_ON.store(bytes != 0, Ordering::Release);
}

/// Notes, in a forked child, that the parent's pieces are gone.
pub(super) fn forget() {
    BYTES.store(0, Ordering::Relaxed);
}

/// Returns `true` if samples are kept.
pub(super) fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// Bytes of all pieces.
pub(super) fn bytes() -> usize {
    BYTES.load(Ordering::Relaxed)
}

impl Ring<SAMPLE> {
    /// Notes what was counted at a node just now. Only who has the recorder may.
    pub(super) fn note(&self, node: usize, weight: u64, look: Option<Option<Kernel>>) {
        if IS_ON.load(Ordering::Relaxed) {
            self.add(clock::now_us(), node, weight, look);
        }
    }

    fn add(&self, at_us: u64, node: usize, weight: u64, look: Option<Option<Kernel>>) {
        let (mut rest, mut is_look, kernel) = (weight, look.is_some(), look.flatten());
        while rest != 0 || is_look {
            let part = rest.min(Sample::MOST_WEIGHT.into());
            let sample = Sample { at_us, node: node as u32, weight: part as u32, is_look, kernel };
            let words = sample.words(Round::FIRST).map(|word| word & !Round::MASK);
            if self.write(at_us, words).is_none() {
                return;
            }
            rest -= part;
            is_look = false;
        }
    }
}

impl<const WORDS: usize> Ring<WORDS> {
    #[cfg(test)]
    pub(super) const fn new() -> Self {
        Self { oldest: AtomicPtr::new(null_mut()), newest: AtomicPtr::new(null_mut()) }
    }

    /// Writes an entry of these words, which have no round yet, of this time; `None` if nothing is kept or there is no room.
    pub(super) fn push(&self, at_us: u64, words: [u64; WORDS]) -> Option<&'static Entry<WORDS>> {
        IS_ON.load(Ordering::Relaxed).then(|| self.write(at_us, words)).flatten()
    }

    fn write(&self, at_us: u64, words: [u64; WORDS]) -> Option<&'static Entry<WORDS>> {
        self.room(at_us)?.push(words)
    }

    /// A piece with a free entry.
    fn room(&self, at_us: u64) -> Option<&'static Piece<WORDS>> {
        let newest = Piece::at(&self.newest);
        if let Some(piece) = newest.filter(|piece| !piece.is_full()) {
            return Some(piece);
        }
        let wanted = WANTED_US.load(Ordering::Relaxed);
        let oldest = Piece::at(&self.oldest);
        let is_old = |piece: &Piece<WORDS>| {
            wanted != 0 && piece.last_us().saturating_add(wanted) < at_us && !piece.is(newest)
        };
        if let Some(piece) = oldest.filter(|piece| is_old(piece)) {
            return Some(self.again(piece));
        }
        let fresh = match newest {
            None => Piece::map(FIRST, MOST_BYTES.load(Ordering::Relaxed)),
            // The last eighth of the memory is for threads that have none yet.
            Some(_) => Piece::map(NEXT, MOST_BYTES.load(Ordering::Relaxed) / 8 * 7),
        };
        match fresh {
            Some(piece) => {
                self.append(piece);
                Some(piece)
            }
            None => oldest.map(|piece| self.again(piece)),
        }
    }

    /// Makes the oldest piece the newest, whose entries are written over one by one.
    fn again(&self, oldest: &'static Piece<WORDS>) -> &'static Piece<WORDS> {
        oldest.rounds.fetch_add(1, Ordering::Relaxed);
        oldest.used.store(0, Ordering::Relaxed);
        let next = oldest.newer.load(Ordering::Relaxed);
        if !next.is_null() {
            self.oldest.store(next, Ordering::Release);
            self.append(oldest);
        }
        oldest
    }

    fn append(&self, piece: &'static Piece<WORDS>) {
        piece.newer.store(null_mut(), Ordering::Relaxed);
        let this = core::ptr::from_ref(piece).cast_mut();
        match Piece::at(&self.newest) {
            Some(newest) => newest.newer.store(this, Ordering::Release),
            None => self.oldest.store(this, Ordering::Release),
        }
        self.newest.store(this, Ordering::Release);
    }

    /// The pieces, the oldest first.
    fn pieces(&self) -> impl Iterator<Item = &'static Piece<WORDS>> {
        core::iter::successors(Piece::at(&self.oldest), |piece| Piece::at(&piece.newer))
    }

    /// The entries of each piece, while nobody writes any.
    pub(super) fn entries(&self) -> impl Iterator<Item = &'static [Entry<WORDS>]> {
        self.pieces().map(Piece::written)
    }

    /// Forgets all samples.
    pub(super) fn reset(&self) {
        for piece in self.pieces() {
            for word in piece.written().iter().flat_map(|Entry(words)| words) {
                word.store(0, Ordering::Relaxed);
            }
        }
    }
}

impl<const WORDS: usize> Piece<WORDS> {
    /// Meaning of the entries, and how many of the unit of their times are a microsecond.
    const CONTENT: Content = match WORDS {
        SAMPLE => Content::Samples,
        GAP => Content::Gaps,
        _ => Content::Marks,
    };
    const UNITS: u64 = if WORDS == Mark::LEN / 8 { 1000 } else { 1 };

    fn at(pointer: &AtomicPtr<Self>) -> Option<&'static Self> {
        // SAFETY: null, or what `map` made, which stays.
        unsafe { pointer.load(Ordering::Acquire).as_ref() }
    }

    /// Takes memory for a piece of this size, unless all would have more than `most` then.
    fn map(size: usize, most: usize) -> Option<&'static Self> {
        let whole = size + Block::LEN;
        let fits = |bytes: usize| bytes.checked_add(whole).filter(|sum| *sum <= most);
        BYTES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).ok()?;
        let capacity = (size - size_of::<Self>()) / size_of::<Entry<WORDS>>();
        let content = Block {
            content: Self::CONTENT,
            len: size as u64,
            entries_at: size_of::<Self>() as u64,
            entries: capacity as u64,
            entry_len: size_of::<Entry<WORDS>>() as u32,
        };
        let Some(region) = Region::map_for_process(size, &content) else {
            BYTES.fetch_sub(whole, Ordering::Relaxed);
            return None;
        };
        let head: NonNull<Self> = region.base().cast();
        // SAFETY: zeroed memory of that size that stays, aligned to 64; zero is a valid head.
        let piece = unsafe { head.as_ref() };
        piece.capacity.store(capacity, Ordering::Relaxed);
        Some(piece)
    }

    fn is(&self, other: Option<&Self>) -> bool {
        other.is_some_and(|other| core::ptr::eq(self, other))
    }

    /// All entries.
    fn all(&self) -> &'static [Entry<WORDS>] {
        let first = core::ptr::from_ref(self).wrapping_add(1).cast::<Entry<WORDS>>();
        // SAFETY: `map` made room for so many behind the head; zero is a free entry.
        unsafe { core::slice::from_raw_parts(first, self.capacity.load(Ordering::Relaxed)) }
    }

    fn is_full(&self) -> bool {
        self.used.load(Ordering::Relaxed) >= self.capacity.load(Ordering::Relaxed)
    }

    /// The entries that were ever written.
    fn written(&self) -> &'static [Entry<WORDS>] {
        let all = self.all();
        match self.rounds.load(Ordering::Relaxed) {
            0 => all.get(..self.used.load(Ordering::Acquire)).unwrap_or_default(),
            _ => all,
        }
    }

    /// The time of the last entry of a full piece: all have theirs in the first word.
    fn last_us(&self) -> u64 {
        let word = self.all().last().and_then(|entry| entry.word(0));
        word.map_or(0, |word| (word.load(Ordering::Relaxed) >> Round::BITS) / Self::UNITS)
    }

    fn push(&self, words: [u64; WORDS]) -> Option<&'static Entry<WORDS>> {
        let used = self.used.load(Ordering::Relaxed);
        let entry = self.all().get(used)?;
        let round = Round::after(self.rounds.load(Ordering::Relaxed)).number();
        let Entry(place) = entry;
        place
            .iter()
            .zip(words)
            .for_each(|(place, word)| place.store(word | round, Ordering::Relaxed));
        self.used.store(used + 1, Ordering::Release);
        Some(entry)
    }
}

impl<const WORDS: usize> Entry<WORDS> {
    /// The place of a word.
    pub(super) fn word(&self, index: usize) -> Option<&AtomicU64> {
        self.0.get(index)
    }

    pub(super) fn words(&self) -> [u64; WORDS] {
        let Self(words) = self;
        words.each_ref().map(|word| word.load(Ordering::Relaxed))
    }

    /// The entry as a file has it.
    pub fn bytes(&self) -> Bytes<WORDS> {
        Bytes(self.words().map(u64::to_ne_bytes))
    }
}

/// The bytes of an entry.
pub struct Bytes<const WORDS: usize>([[u8; 8]; WORDS]);

impl<const WORDS: usize> AsRef<[u8]> for Bytes<WORDS> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_flattened()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::{Mutex, MutexGuard, PoisonError};
    use std::vec::Vec;

    use super::*;

    /// The limits are of the process.
    static LIMITS: Mutex<()> = Mutex::new(());

    /// Has no other test keep samples, nor count on the memory for them, as long as it is held.
    pub(in super::super) fn alone() -> MutexGuard<'static, ()> {
        LIMITS.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in super::super) fn within<R>(
        (seconds, bytes): (u32, usize),
        action: impl FnOnce() -> R,
    ) -> R {
        let _alone = alone();
        // What other tests have taken is none of this one's: of the whole, a part is kept for threads without a piece.
        let others = BYTES.swap(0, Ordering::Relaxed);
        begin(seconds, bytes);
        let result = action();
        begin(0, 0);
        BYTES.fetch_add(others, Ordering::Relaxed);
        result
    }

    fn samples(ring: &Ring<SAMPLE>) -> Vec<Sample> {
        let entries = ring.entries().flatten();
        let mut samples: Vec<_> =
            entries.filter_map(|entry| Sample::of_words(entry.words())).collect();
        samples.sort_by_key(|sample| sample.at_us);
        samples
    }

    #[test]
    fn all_is_there_until_memory_ends_and_then_the_newest() {
        let ring = Ring::<SAMPLE>::new();
        within((0, 1 << 20), || {
            let before = bytes();
            for at in 0..10_000 {
                ring.add(at, at as usize + 7, at % 3, (at % 2 == 0).then_some(None));
            }
            let found = samples(&ring);
            let expected = (0..10_000_u64).filter(|at| at % 3 != 0 || at % 2 == 0);
            assert!(found.iter().map(|sample| sample.at_us).eq(expected));
            for sample in found {
                assert_eq!(u64::from(sample.node), sample.at_us + 7);
                assert_eq!(u64::from(sample.weight), sample.at_us % 3);
                assert_eq!(sample.is_look, sample.at_us % 2 == 0);
            }
            const MORE: u64 = 1_000_000;
            (10_000..MORE).for_each(|at| ring.add(at, 1, 1, Some(None)));
            let found: Vec<u64> = samples(&ring).iter().map(|sample| sample.at_us).collect();
            assert!(found.len() > 50_000, "{}", found.len());
            assert!(found.iter().copied().eq(MORE - found.len() as u64..MORE));
            assert!(bytes() - before <= 1 << 20);
        });
        ring.reset();
        assert_eq!(samples(&ring), []);
    }

    #[test]
    fn what_is_older_than_anybody_wants_makes_room() {
        let ring = Ring::<SAMPLE>::new();
        within((1, 64 << 20), || {
            const STEP: u64 = 100;
            for at in 0..500_000 {
                ring.add(at * STEP, 1, 1, Some(None));
            }
            let found = samples(&ring);
            let (first, last) = (found[0].at_us, found[found.len() - 1].at_us);
            assert!(last - first >= 1_000_000 && last - first < 3_000_000, "{first} to {last}");
            assert!(ring.pieces().count() <= 5);
        });
    }

    #[test]
    fn large_weights_are_several_entries_and_one_look() {
        let ring = Ring::<SAMPLE>::new();
        within((0, 1 << 16), || {
            const WEIGHT: u64 = 3 * Sample::MOST_WEIGHT as u64 + 5;
            ring.add(9, 1, WEIGHT, Some(None));
            let found = samples(&ring);
            assert_eq!(found.iter().map(|sample| u64::from(sample.weight)).sum::<u64>(), WEIGHT);
            assert_eq!(found.iter().filter(|sample| sample.is_look).count(), 1);
            assert_eq!(found.len(), 4);
        });
    }

    #[test]
    fn threads_without_a_piece_get_their_first_when_others_have_taken_all() {
        within((0, 1 << 20), || {
            let greedy = Ring::<SAMPLE>::new();
            (0..200_000).for_each(|at| greedy.add(at, 1, 1, Some(None)));
            for _ in 0..16 {
                let late = Ring::<SAMPLE>::new();
                late.add(1, 1, 1, Some(None));
                assert_eq!(samples(&late).len(), 1);
            }
        });
    }
}
