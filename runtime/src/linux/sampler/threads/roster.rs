//! The threads that are sampled.
//!
//! An array of entries that grows and never moves. Entries of ended threads are used again, so it is
//! as long as the number of threads that live at the same time, and searched from end to end when a
//! thread begins. A signal says by itself which entry it is for.
//!
//! *Context:* any. [`claim`] is a lock, but nobody ever waits for it.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicI32, AtomicPtr, AtomicUsize, Ordering};

use crate::atomic::AtomicI64;
use crate::linux::platform;
use crate::linux::region::Region;
use crate::linux::stacks::Seat;

/// A place for a thread.
pub(in super::super) struct Entry {
    /// Its kernel id; 0 if the place is free.
    tid: AtomicI32,
    /// What samples it: a sampler's own number, or [`CHANGING`].
    handle: AtomicUsize,
    /// A sampler's own time or count.
    pub(in super::super) clock: AtomicI64,
    /// Nanoseconds from the thread's CPU time when sampling it began to where its first period ended.
    pub(in super::super) first: AtomicI64,
    /// Where it was seen last; 0 if never.
    pub(in super::super) last_pc: AtomicUsize,
    /// The thread's CPU time when sampling it was paused.
    pub(in super::super) paused: AtomicI64,
    /// The address of the [`Beat`](platform::Beat) that sends its signals; 0 without one.
    pub(in super::super) beat: AtomicUsize,
    /// What records the thread's stacks.
    pub(in super::super) seat: Seat,
}

/// Somebody is about to change the handle.
const CHANGING: usize = 0;
/// The thread has ended, and nothing samples it any more.
const ENDED: usize = usize::MAX;
/// The smallest handle.
pub(in super::super) const FIRST_HANDLE: usize = 1;

/// Entries that need no memory from the system: as many as most programs have threads.
const FIRST: usize = 32;

/// Each later part of the array is as long as all before it together. Linux has at most 2^22 threads.
const PARTS: usize = 18;

static FIRST_PART: [Entry; FIRST] = [const { Entry::free() }; FIRST];
static LATER_PARTS: [AtomicPtr<Entry>; PARTS] = [const { AtomicPtr::new(null_mut()) }; PARTS];

/// Entries that were ever in use.
static LEN: AtomicUsize = AtomicUsize::new(0);

/// The entry that was found last: threads are mostly looked for in the order of their entries.
static LAST_FOUND: AtomicUsize = AtomicUsize::new(0);

/// Where threads were found, by the last bits of their ids.
static FOUND: [AtomicUsize; 64] = [const { AtomicUsize::new(0) }; 64];

/// Ids of threads whose sampling somebody begins, by their last bits; 0 for none.
static CLAIMS: [AtomicI32; 64] = [const { AtomicI32::new(0) }; 64];

/// Threads that were entered since the ended ones were removed, and those that were left then.
static ENTERED: AtomicUsize = AtomicUsize::new(0);
static LEFT: AtomicUsize = AtomicUsize::new(0);

/// The right to begin sampling a thread, which only one can have.
pub(in super::super) struct Claim {
    tid: i32,
    place: &'static AtomicI32,
}

/// Claims a thread; `None` if somebody else begins to sample it, or, rarely, another one.
pub(in super::super) fn claim(tid: i32) -> Option<Claim> {
    let place = CLAIMS.get(tid as usize % CLAIMS.len())?;
    let claimed = place.compare_exchange(0, tid, Ordering::Acquire, Ordering::Relaxed);
    claimed.is_ok().then_some(Claim { tid, place })
}

impl Claim {
    /// A fresh entry for the thread, for the caller to [`set`](Entry::set), and its index; `None` if
    /// it has one already. An error if there is no memory.
    pub(in super::super) fn entry(&self) -> Result<Option<(usize, &'static Entry)>, NoMemory> {
        if find(self.tid).is_some() {
            return Ok(None);
        }
        ENTERED.fetch_add(1, Ordering::Relaxed);
        let free = |(_, entry): &(usize, &'static Entry)| entry.take_place(self.tid);
        entries().find(free).map_or_else(|| self.append(), Ok).map(Some)
    }

    fn append(&self) -> Result<(usize, &'static Entry), NoMemory> {
        loop {
            let index = LEN.load(Ordering::Acquire);
            let entry = make(index).ok_or(NoMemory)?;
            let taken = entry.take_place(self.tid);
            // Whoever took it, the array is longer now.
            _ = LEN.compare_exchange(index, index + 1, Ordering::AcqRel, Ordering::Relaxed);
            if taken {
                return Ok((index, entry));
            }
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.place.store(0, Ordering::Release);
    }
}

/// There is no memory for another entry.
pub(in super::super) struct NoMemory;

/// Whether it is time to remove ended threads: often enough that the array stays short, and so
/// seldom that it costs each thread the same, however many there are.
pub(in super::super) fn wants_tidying() -> bool {
    const FEW: usize = 64;
    ENTERED.load(Ordering::Relaxed) > LEFT.load(Ordering::Relaxed).max(FEW)
}

/// Notes that ended threads were removed.
pub(in super::super) fn note_tidied() {
    ENTERED.store(0, Ordering::Relaxed);
    LEFT.store(sampled().count(), Ordering::Relaxed);
}

/// The entry of a thread that is sampled.
pub(in super::super) fn find(tid: i32) -> Option<&'static Entry> {
    let is_its = |entry: &Entry| entry.tid.load(Ordering::Acquire) == tid;
    let next = LAST_FOUND.load(Ordering::Relaxed) + 1;
    let found = at(next)
        .filter(|entry| is_its(entry))
        .map(|entry| (next, entry))
        .or_else(|| entries().find(|(_, entry)| is_its(entry)));
    found.map(|(index, entry)| {
        LAST_FOUND.store(index, Ordering::Relaxed);
        entry
    })
}

/// The entry of a thread that is sampled, for its handler: found at once if it is always looked for in this way.
pub(in super::super) fn find_again(tid: i32) -> Option<&'static Entry> {
    let place = FOUND.get(tid as usize % FOUND.len())?;
    let is_its = |entry: &&Entry| entry.is_of(tid);
    at(place.load(Ordering::Relaxed)).filter(is_its).or_else(|| {
        let (index, entry) = entries().find(|(_, entry)| is_its(entry))?;
        place.store(index, Ordering::Relaxed);
        Some(entry)
    })
}

/// The entry of an index.
pub(in super::super) fn at(index: usize) -> Option<&'static Entry> {
    let (part, offset) = place_of(index);
    if index >= LEN.load(Ordering::Acquire) {
        return None;
    }
    part_entries(part)?.get(offset)
}

/// All entries in use.
pub(in super::super) fn sampled() -> impl Iterator<Item = &'static Entry> {
    entries()
        .map(|(_, entry)| entry)
        .filter(|entry| entry.tid.load(Ordering::Acquire) != 0 && entry.handle().is_some())
}

/// The entries of which it is known that their threads have ended.
pub(in super::super) fn ended() -> impl Iterator<Item = &'static Entry> {
    let entries = entries().map(|(_, entry)| entry);
    entries.filter(|entry| entry.handle.load(Ordering::SeqCst) == ENDED)
}

/// Forgets all threads, in a forked child.
pub(in super::super) fn clear() {
    for (_, entry) in entries() {
        // The kernel has not copied it.
        entry.beat.store(0, Ordering::Relaxed);
        entry.leave();
    }
    CLAIMS.iter().for_each(|claim| claim.store(0, Ordering::Relaxed));
    LEN.store(0, Ordering::Release);
    note_tidied();
}

fn entries() -> impl Iterator<Item = (usize, &'static Entry)> {
    let parts = (0..=PARTS).map_while(part_entries);
    parts.flatten().enumerate().take(LEN.load(Ordering::Acquire))
}

/// Where an entry is: its part and its place there.
fn place_of(index: usize) -> (usize, usize) {
    // Part n, from 1 on, begins at index FIRST << (n - 1) and is as long as that.
    match (index / FIRST).checked_ilog2() {
        None => (0, index),
        Some(power) => (power as usize + 1, index - (FIRST << power)),
    }
}

fn part_len(part: usize) -> usize {
    FIRST << part.saturating_sub(1)
}

fn part_entries(part: usize) -> Option<&'static [Entry]> {
    let Some(later) = part.checked_sub(1) else {
        return Some(&FIRST_PART);
    };
    let first = LATER_PARTS.get(later)?.load(Ordering::Acquire);
    if first.is_null() {
        return None;
    }
    // SAFETY: `make` mapped so many zeroed entries, which stay mapped; zero is a free entry.
    Some(unsafe { core::slice::from_raw_parts(first, part_len(part)) })
}

/// The entry of an index, in memory that is mapped if need be.
fn make(index: usize) -> Option<&'static Entry> {
    let (part, offset) = place_of(index);
    if part_entries(part).is_none() {
        let place = LATER_PARTS.get(part.checked_sub(1)?)?;
        let region = Region::map(part_len(part) * size_of::<Entry>())?;
        let fresh = region.base().cast::<Entry>().as_ptr();
        if place.compare_exchange(null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire).is_err() {
            // SAFETY: the address was not stored, so nobody knows it.
            unsafe { region.unmap() };
        }
    }
    part_entries(part)?.get(offset)
}

impl Entry {
    const fn free() -> Self {
        Self {
            tid: AtomicI32::new(0),
            handle: AtomicUsize::new(CHANGING),
            clock: AtomicI64::new(0),
            first: AtomicI64::new(0),
            last_pc: AtomicUsize::new(0),
            paused: AtomicI64::new(0),
            beat: AtomicUsize::new(0),
            seat: Seat::new(),
        }
    }

    /// Whether it is a thread's.
    pub(in super::super) fn is_of(&self, tid: i32) -> bool {
        self.tid.load(Ordering::Acquire) == tid
    }

    /// The kernel's id of the thread.
    pub(in super::super) fn tid(&self) -> i32 {
        self.tid.load(Ordering::Acquire)
    }

    /// The sampler's number.
    pub(in super::super) fn handle(&self) -> Option<usize> {
        let handle = self.handle.load(Ordering::SeqCst);
        Some(handle).filter(|handle| ![CHANGING, ENDED].contains(handle))
    }

    /// Takes the sampler's number out. The entry is then the caller's, to [`set`](Self::set) or to
    /// [`leave`](Self::leave).
    pub(in super::super) fn take(&self) -> Option<usize> {
        let handle = self.handle()?;
        let taken =
            self.handle.compare_exchange(handle, CHANGING, Ordering::SeqCst, Ordering::Relaxed);
        taken.ok()
    }

    /// Like [`take`](Self::take), but if somebody else has taken the number waits for it to come
    /// back: not long, since that lasts some system calls, and not for ever, since it may be this
    /// thread that a signal has interrupted meanwhile.
    pub(in super::super) fn wait_and_take(&self) -> Option<usize> {
        const PATIENCE: usize = 1000;
        (0..PATIENCE).find_map(|_| {
            let taken = self.take();
            if taken.is_none() {
                platform::yield_cpu();
            }
            taken
        })
    }

    /// Gives the entry a sampler's number.
    pub(in super::super) fn set(&self, handle: usize) {
        self.handle.store(handle, Ordering::SeqCst);
    }

    /// Notes that the thread has ended: the entry is then among [`ended`].
    pub(in super::super) fn end(&self) {
        self.set(ENDED);
    }

    /// Gives the place to whoever comes next.
    pub(in super::super) fn leave(&self) {
        self.seat.leave();
        self.handle.store(CHANGING, Ordering::SeqCst);
        self.tid.store(0, Ordering::Release);
    }

    fn take_place(&self, tid: i32) -> bool {
        self.tid.compare_exchange(0, tid, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// Thread ids that no other test uses.
    const TIDS: core::ops::Range<i32> = 5_000_000..5_000_200;

    #[test]
    fn every_thread_has_one_entry_until_it_leaves() {
        let add = |tid| claim(tid).unwrap().entry().ok().unwrap();
        let added: Vec<_> = TIDS.map(|tid| add(tid).unwrap()).collect();
        for ((index, entry), tid) in added.iter().zip(TIDS) {
            assert!(add(tid).is_none());
            assert!(core::ptr::eq(find(tid).unwrap(), *entry));
            assert!(core::ptr::eq(at(*index).unwrap(), *entry) && entry.is_of(tid));
        }
        let len = LEN.load(Ordering::Relaxed);
        added.iter().for_each(|(_, entry)| entry.leave());
        assert!(TIDS.clone().all(|tid| find(tid).is_none()));
        let again: Vec<_> = TIDS.map(|tid| add(tid).unwrap()).collect();
        // The other test may have taken one.
        assert!(LEN.load(Ordering::Relaxed) <= len + 1);
        again.iter().for_each(|(_, entry)| entry.leave());
    }

    #[test]
    fn claim_and_handle_are_taken_by_one_only() {
        let tid = TIDS.end + 1;
        let mine = claim(tid).unwrap();
        assert!(claim(tid).is_none());
        let (_, entry) = mine.entry().ok().unwrap().unwrap();
        drop(mine);
        assert!(claim(tid).is_some());
        assert!(entry.take().is_none());
        entry.set(7);
        assert_eq!((entry.handle(), entry.take(), entry.take()), (Some(7), Some(7), None));
        entry.leave();
    }

    #[test]
    fn parts_follow_each_other_without_a_gap() {
        let mut place = (0, 0);
        for index in 0..10_000 {
            assert_eq!(place_of(index), place, "{index}");
            place.1 += 1;
            if place.1 == part_len(place.0) {
                place = (place.0 + 1, 0);
            }
        }
    }
}
