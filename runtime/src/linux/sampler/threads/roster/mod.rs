//! The threads that are sampled.
//!
//! They have entries in an array that grows and never moves. Entries of ended threads are used again, so it is
//! as long as the number of threads that live at the same time, and searched from end to end when a
//! thread begins. A signal says by itself which entry it is for.
//!
//! *Context:* any. [`claim`] is a lock, but nobody ever waits for it.

mod entry;
mod parts;

use core::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

pub(in crate::linux::sampler) use entry::{Entry, FIRST_HANDLE};

/// Entries that were ever in use.
static LEN: AtomicUsize = AtomicUsize::new(0);

/// The entry that was found last: threads are mostly looked for in the order of their entries.
static LAST_FOUND: AtomicUsize = AtomicUsize::new(0);

/// Threads that were found, by the last bits of their ids.
static FOUND: [AtomicUsize; 64] = [const { AtomicUsize::new(0) }; 64];

/// Ids of threads whose sampling somebody begins, by their last bits; 0 for none.
static CLAIMS: [AtomicI32; 64] = [const { AtomicI32::new(0) }; 64];

/// Threads entered since ended ones were last removed.
static ENTERED: AtomicUsize = AtomicUsize::new(0);
/// Threads that this removal left.
static LEFT: AtomicUsize = AtomicUsize::new(0);

/// The right to begin sampling a thread, which only one can have.
pub(in crate::linux::sampler) struct Claim {
    tid: i32,
    place: &'static AtomicI32,
}

/// Claims a thread; `None` if somebody else begins to sample it, or, rarely, another one.
pub(in crate::linux::sampler) fn claim(tid: i32) -> Option<Claim> {
    let place = CLAIMS.get(tid as usize % CLAIMS.len())?;
    let claimed = place.compare_exchange(0, tid, Ordering::Acquire, Ordering::Relaxed);
    claimed.is_ok().then_some(Claim { tid, place })
}

impl Claim {
    /// A fresh entry for the thread, for the caller to [`set`](Entry::set), and its index; `None` if
    /// it has one already. An error if there is no memory.
    pub(in crate::linux::sampler) fn entry(
        &self,
    ) -> Result<Option<(usize, &'static Entry)>, NoMemory> {
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
            let entry = parts::make(index).ok_or(NoMemory)?;
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
pub(in crate::linux::sampler) struct NoMemory;

/// Returns `true` if it is time to remove ended threads: often enough that the array stays short,
/// and so seldom that it costs each thread the same, however many there are.
pub(in crate::linux::sampler) fn wants_tidying() -> bool {
    const FEW: usize = 64;
    ENTERED.load(Ordering::Relaxed) > LEFT.load(Ordering::Relaxed).max(FEW)
}

/// Notes that ended threads were removed.
pub(in crate::linux::sampler) fn note_tidied() {
    ENTERED.store(0, Ordering::Relaxed);
    LEFT.store(sampled().count(), Ordering::Relaxed);
}

/// The entry of a thread that is sampled.
pub(in crate::linux::sampler) fn find(tid: i32) -> Option<&'static Entry> {
    let is_its = |entry: &Entry| entry.is_of(tid);
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
pub(in crate::linux::sampler) fn find_again(tid: i32) -> Option<&'static Entry> {
    let place = FOUND.get(tid as usize % FOUND.len())?;
    let is_its = |entry: &&Entry| entry.is_of(tid);
    at(place.load(Ordering::Relaxed)).filter(is_its).or_else(|| {
        let (index, entry) = entries().find(|(_, entry)| is_its(entry))?;
        place.store(index, Ordering::Relaxed);
        Some(entry)
    })
}

/// The entry of an index.
pub(in crate::linux::sampler) fn at(index: usize) -> Option<&'static Entry> {
    if index >= LEN.load(Ordering::Acquire) {
        return None;
    }
    parts::at(index)
}

/// All entries in use.
pub(in crate::linux::sampler) fn sampled() -> impl Iterator<Item = &'static Entry> {
    entries().map(|(_, entry)| entry).filter(|entry| entry.tid() != 0 && entry.handle().is_some())
}

/// The entries of which it is known that their threads have ended.
pub(in crate::linux::sampler) fn ended() -> impl Iterator<Item = &'static Entry> {
    let entries = entries().map(|(_, entry)| entry);
    entries.filter(|entry| entry.has_ended())
}

/// Forgets all threads, in a forked child.
pub(in crate::linux::sampler) fn clear() {
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
    (0..LEN.load(Ordering::Acquire)).map_while(|index| Some((index, parts::at(index)?)))
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
}
