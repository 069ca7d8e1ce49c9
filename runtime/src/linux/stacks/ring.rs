//! The samples of a thread with their times: what `GMON_OPTIONS=record` asks for.
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

use gmon_format::live::{Block, Content, Round, Sample};

use super::clock;
use crate::atomic::AtomicU64;
use crate::linux::region::Region;

/// The ring of a thread, or of several that were one after the other. Empty when zero.
pub(super) struct Ring {
    oldest: AtomicPtr<Piece>,
    newest: AtomicPtr<Piece>,
}

/// The head of a piece, before its entries.
#[repr(C, align(64))]
pub(super) struct Piece {
    /// Entries that there is room for.
    capacity: AtomicUsize,
    /// Entries that were written in this round.
    used: AtomicUsize,
    /// Rounds that went before.
    rounds: AtomicUsize,
    /// The piece that came after it.
    newer: AtomicPtr<Piece>,
}

/// An entry, as it lies in a file.
#[repr(C)]
pub(crate) struct Entry([AtomicU64; 2]);

const _: () = assert!(size_of::<Entry>() == Sample::LEN);

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

/// Bytes of all pieces.
pub(super) fn bytes() -> usize {
    BYTES.load(Ordering::Relaxed)
}

impl Ring {
    #[cfg(test)]
    pub(super) const fn new() -> Self {
        Self { oldest: AtomicPtr::new(null_mut()), newest: AtomicPtr::new(null_mut()) }
    }

    /// Notes what was counted at a node just now. Only who has the recorder may.
    pub(super) fn note(&self, node: usize, weight: u64, is_look: bool) {
        if IS_ON.load(Ordering::Relaxed) {
            self.write(clock::now_us(), node, weight, is_look);
        }
    }

    fn write(&self, at_us: u64, node: usize, weight: u64, is_look: bool) {
        let (mut rest, mut is_look) = (weight, is_look);
        while rest != 0 || is_look {
            let part = rest.min(Sample::MOST_WEIGHT.into());
            let Some(piece) = self.room(at_us) else { return };
            piece.push(&Sample { at_us, node: node as u32, weight: part as u32, is_look });
            rest -= part;
            is_look = false;
        }
    }

    /// A piece with a free entry.
    fn room(&self, at_us: u64) -> Option<&'static Piece> {
        let newest = Piece::at(&self.newest);
        if let Some(piece) = newest.filter(|piece| !piece.is_full()) {
            return Some(piece);
        }
        let wanted = WANTED_US.load(Ordering::Relaxed);
        let oldest = Piece::at(&self.oldest);
        let is_old = |piece: &Piece| {
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
    fn again(&self, oldest: &'static Piece) -> &'static Piece {
        oldest.rounds.fetch_add(1, Ordering::Relaxed);
        oldest.used.store(0, Ordering::Relaxed);
        let next = oldest.newer.load(Ordering::Relaxed);
        if !next.is_null() {
            self.oldest.store(next, Ordering::Release);
            self.append(oldest);
        }
        oldest
    }

    fn append(&self, piece: &'static Piece) {
        piece.newer.store(null_mut(), Ordering::Relaxed);
        let this = core::ptr::from_ref(piece).cast_mut();
        match Piece::at(&self.newest) {
            Some(newest) => newest.newer.store(this, Ordering::Release),
            None => self.oldest.store(this, Ordering::Release),
        }
        self.newest.store(this, Ordering::Release);
    }

    /// The pieces, the oldest first.
    fn pieces(&self) -> impl Iterator<Item = &'static Piece> {
        core::iter::successors(Piece::at(&self.oldest), |piece| Piece::at(&piece.newer))
    }

    /// The entries of each piece, while nobody writes any.
    pub(super) fn entries(&self) -> impl Iterator<Item = &'static [Entry]> {
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

impl Piece {
    fn at(pointer: &AtomicPtr<Self>) -> Option<&'static Self> {
        // SAFETY: null, or what `map` made, which stays.
        unsafe { pointer.load(Ordering::Acquire).as_ref() }
    }

    /// Takes memory for a piece of this size, unless all would have more than `most` then.
    fn map(size: usize, most: usize) -> Option<&'static Self> {
        let whole = size + Block::LEN;
        let fits = |bytes: usize| bytes.checked_add(whole).filter(|sum| *sum <= most);
        BYTES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).ok()?;
        let capacity = (size - size_of::<Self>()) / size_of::<Entry>();
        let content = Block {
            content: Content::Samples,
            len: size as u64,
            entries_at: size_of::<Self>() as u64,
            entries: capacity as u64,
            entry_len: size_of::<Entry>() as u32,
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
    fn all(&self) -> &'static [Entry] {
        let first = core::ptr::from_ref(self).wrapping_add(1).cast::<Entry>();
        // SAFETY: `map` made room for so many behind the head; zero is a free entry.
        unsafe { core::slice::from_raw_parts(first, self.capacity.load(Ordering::Relaxed)) }
    }

    fn is_full(&self) -> bool {
        self.used.load(Ordering::Relaxed) >= self.capacity.load(Ordering::Relaxed)
    }

    /// The entries that were ever written.
    fn written(&self) -> &'static [Entry] {
        let all = self.all();
        match self.rounds.load(Ordering::Relaxed) {
            0 => all.get(..self.used.load(Ordering::Acquire)).unwrap_or_default(),
            _ => all,
        }
    }

    /// When the last sample of a full piece was taken.
    fn last_us(&self) -> u64 {
        self.all().last().and_then(Entry::sample).map_or(0, |sample| sample.at_us)
    }

    fn push(&self, sample: &Sample) {
        let used = self.used.load(Ordering::Relaxed);
        let Some(Entry(place)) = self.all().get(used) else { return };
        let words = sample.words(Round::after(self.rounds.load(Ordering::Relaxed)));
        place.iter().zip(words).for_each(|(place, word)| place.store(word, Ordering::Relaxed));
        self.used.store(used + 1, Ordering::Release);
    }
}

impl Entry {
    fn sample(&self) -> Option<Sample> {
        Sample::of_words(self.words())
    }

    fn words(&self) -> [u64; 2] {
        let Self(words) = self;
        words.each_ref().map(|word| word.load(Ordering::Relaxed))
    }

    /// The entry as a file has it.
    pub(crate) fn bytes(&self) -> [u8; Sample::LEN] {
        let mut bytes = [0; Sample::LEN];
        for (place, word) in bytes.chunks_exact_mut(8).zip(self.words()) {
            place.copy_from_slice(&word.to_ne_bytes());
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};
    use std::vec::Vec;

    use super::*;

    /// The limits are of the process.
    static LIMITS: Mutex<()> = Mutex::new(());

    fn within<R>((seconds, bytes): (u32, usize), action: impl FnOnce() -> R) -> R {
        let _guard = LIMITS.lock().unwrap_or_else(PoisonError::into_inner);
        begin(seconds, BYTES.load(Ordering::Relaxed) + bytes);
        let result = action();
        begin(0, 0);
        result
    }

    fn samples(ring: &Ring) -> Vec<Sample> {
        let entries = ring.entries().flatten();
        let mut samples: Vec<_> = entries.filter_map(Entry::sample).collect();
        samples.sort_by_key(|sample| sample.at_us);
        samples
    }

    #[test]
    fn all_is_there_until_memory_ends_and_then_the_newest() {
        let before = BYTES.load(Ordering::Relaxed);
        let ring = Ring::new();
        within((0, 1 << 20), || {
            for at in 0..10_000 {
                ring.write(at, at as usize + 7, at % 3, at % 2 == 0);
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
            (10_000..MORE).for_each(|at| ring.write(at, 1, 1, true));
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
        let ring = Ring::new();
        within((1, 64 << 20), || {
            const STEP: u64 = 100;
            for at in 0..500_000 {
                ring.write(at * STEP, 1, 1, true);
            }
            let found = samples(&ring);
            let (first, last) = (found[0].at_us, found[found.len() - 1].at_us);
            assert!(last - first >= 1_000_000 && last - first < 3_000_000, "{first} to {last}");
            assert!(ring.pieces().count() <= 5);
        });
    }

    #[test]
    fn large_weights_are_several_entries_and_one_look() {
        let ring = Ring::new();
        within((0, 1 << 16), || {
            const WEIGHT: u64 = 3 * Sample::MOST_WEIGHT as u64 + 5;
            ring.write(9, 1, WEIGHT, true);
            let found = samples(&ring);
            assert_eq!(found.iter().map(|sample| u64::from(sample.weight)).sum::<u64>(), WEIGHT);
            assert_eq!(found.iter().filter(|sample| sample.is_look).count(), 1);
            assert_eq!(found.len(), 4);
        });
    }

    #[test]
    fn threads_without_a_piece_get_their_first_when_others_have_taken_all() {
        within((0, 1 << 20), || {
            let greedy = Ring::new();
            (0..200_000).for_each(|at| greedy.write(at, 1, 1, true));
            for _ in 0..16 {
                let late = Ring::new();
                late.write(1, 1, 1, true);
                assert_eq!(samples(&late).len(), 1);
            }
        });
    }
}
