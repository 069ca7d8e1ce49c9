//! A table of call-graph arcs: exact (frompc, selfpc) → count.
//!
//! Open addressing with linear probing in mapped memory. The stub probes the same table and
//! increments a count it finds; this file does the rest. What makes that safe without a lock:
//!
//! * A thread's table is written by that thread alone, and by signal handlers that interrupt it.
//!   The table of [`threads::count_shared`](crate::system::threads) is written by all, but only from here.
//! * An empty entry is first claimed by compare-exchange, then filled, and its selfpc is published
//!   last, so that neither a handler nor the writer ever sees half a key.
//! * Entries are never moved or removed. A full table gets a larger, empty successor and keeps its
//!   counts: an increment that a handler interrupted still lands in memory that is summed at exit. It says that it has one,
//!   so that readers of a live file need not look at it again and again.
//!
//! *Context:* hook, signal; reading also exit.

use core::mem::offset_of;
use core::ptr::NonNull;
use core::sync::atomic::Ordering;

use gmon_format::Encoding;
use gmon_format::live::{Block, Content, Count};
use gmon_system::atomic::{AtomicPtr, AtomicU64, AtomicUsize};
use gmon_system::region::Region;

use crate::counted::Counted;

/// Facts for the stubs: where the fields are, and how a key is mixed. The choice of the numbers is
/// explained in docs/design/hot-path.md.
pub(crate) mod stub {
    use super::*;

    /// From the address of a table, which is that of its first entry.
    pub(crate) const MASK: isize = offset_of!(Header, mask) as isize - size_of::<Header>() as isize;
    pub(crate) const OWNER: isize =
        offset_of!(Header, owner) as isize - size_of::<Header>() as isize;
    pub(crate) const SELF_PC: usize = offset_of!(Entry, self_pc);
    pub(crate) const FROM_PC: usize = offset_of!(Entry, from_pc);
    pub(crate) const COUNT: usize = offset_of!(Entry, count);
    pub(crate) const ENTRY: usize = super::ENTRY;
    pub(crate) const HASH_FROM: usize = 0x1f3d_5b79;
    pub(crate) const HASH_BOTH: usize = 0x61c8_8647;
    /// Bits to shift out: few bits of the key have a say in them. A product of 32 bits has none to
    /// spare for large tables.
    pub(crate) const HASH_SHIFT: u32 = if usize::BITS == 64 { 24 } else { 8 };
}

/// Readers of a live file find an entry's fields one after the other.
const _: () = {
    assert!(stub::FROM_PC == size_of::<usize>());
    assert!(stub::COUNT + size_of::<u64>() == Count::len(Encoding::NATIVE.word));
    #[cfg(target_pointer_width = "64")]
    assert!(offset_of!(Entry, forgotten) == Count::len(Encoding::NATIVE.word));
};

const ENTRY: usize = size_of::<Entry>();

/// An entry nobody claimed.
const EMPTY: usize = 0;
/// An entry whose key is being written. Never the selfpc of a call.
const CLAIMED: usize = 1;

/// Header before the entries.
#[repr(C)]
#[cfg_attr(target_pointer_width = "64", repr(align(32)))]
#[cfg_attr(target_pointer_width = "32", repr(align(16)))]
struct Header {
    /// A bit for each part of the entries in which there is something.
    touched: AtomicUsize,
    used: AtomicUsize,
    older: AtomicPtr<Entry>,
    owner: AtomicUsize,
    /// Number of entries that a hash can select, - 1, times the size of an entry: turns a hash into
    /// a byte offset.
    mask: AtomicUsize,
}

#[repr(C)]
#[cfg_attr(target_pointer_width = "64", repr(align(32)))]
#[cfg_attr(target_pointer_width = "32", repr(align(16)))]
struct Entry {
    self_pc: AtomicUsize,
    from_pc: AtomicUsize,
    count: AtomicU64,
    /// Count before the counts were set to zero. Nobody but the entry's thread may write the count: the stub
    /// increments it without an atomic instruction, and would bring back what was there. Machines of 32 bits have
    /// no room for it.
    #[cfg(target_pointer_width = "64")]
    forgotten: AtomicU64,
}

/// A table has no room for a new arc.
pub(crate) struct Full;

/// A table, by the address of its first entry, which the stub uses.
///
/// `capacity` entries can be selected by a hash; [`SPARE`] more take what collides with the last
/// ones; one more is always free and ends a probe. Its count says whether the table has a successor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Table(NonNull<Entry>);

/// Entries behind the last that a hash selects, so that a probe need not wrap around.
const SPARE: usize = 16;

/// Parts of a table that [`Header::touched`] tells apart.
const PARTS: usize = usize::BITS as usize;

/// The bit for a part. What lies behind the last has that one's.
const fn bit(part: usize) -> usize {
    1 << if part < PARTS { part } else { PARTS - 1 }
}

/// Room for a table of [`SharedTable::CAPACITY`] entries in the program's zeroed data.
#[repr(C)]
pub(crate) struct SharedTable {
    header: Header,
    entries: [Entry; Self::CAPACITY + SPARE + 1],
}

impl SharedTable {
    const CAPACITY: usize = 512;

    #[allow(clippy::declare_interior_mutable_const)]
    const FREE: Entry = Entry {
        self_pc: AtomicUsize::new(EMPTY),
        from_pc: AtomicUsize::new(0),
        count: AtomicU64::new(0),
        #[cfg(target_pointer_width = "64")]
        forgotten: AtomicU64::new(0),
    };

    pub(crate) const fn new() -> Self {
        let header = Header {
            mask: AtomicUsize::new(0),
            touched: AtomicUsize::new(0),
            used: AtomicUsize::new(0),
            older: AtomicPtr::new(core::ptr::null_mut()),
            owner: AtomicUsize::new(0),
        };
        Self { header, entries: [Self::FREE; Self::CAPACITY + SPARE + 1] }
    }

    pub(crate) fn table(&'static self) -> Table {
        // Set here and not in `new`, so that the table lies in .bss and not in the file.
        self.header.mask.store(mask(Self::CAPACITY), Ordering::Relaxed);
        Table(NonNull::from(&self.entries).cast())
    }
}

const fn mask(capacity: usize) -> usize {
    (capacity - 1) * ENTRY
}

impl Table {
    /// Bytes of memory that a table of `capacity` entries takes.
    pub(crate) const fn size(capacity: usize) -> usize {
        size_of::<Header>() + (capacity + SPARE + 1) * size_of::<Entry>()
    }

    /// Description, for readers of a live file, of memory that ends with a table of `capacity`
    /// entries, `before` bytes from its start.
    pub(crate) const fn content(before: usize, capacity: usize) -> Block {
        Block {
            content: Content::Arcs,
            len: (before + Self::size(capacity)) as u64,
            entries_at: (before + size_of::<Header>()) as u64,
            entries: (capacity + SPARE) as u64,
            entry_len: ENTRY as u32,
        }
    }

    /// Makes an empty table in zeroed memory.
    ///
    /// # Safety
    /// `memory` must be 32-byte aligned and [`size(capacity)`](Self::size) bytes large, zeroed,
    /// unknown to anybody else and valid for ever. `capacity` must be a power of two.
    pub(crate) unsafe fn new(memory: NonNull<u8>, capacity: usize, owner: usize) -> Self {
        debug_assert!(capacity.is_power_of_two());
        // SAFETY: the header is inside the memory, which is larger.
        let table = Self(unsafe { memory.add(size_of::<Header>()) }.cast());
        table.header().mask.store(mask(capacity), Ordering::Relaxed);
        table.header().owner.store(owner, Ordering::Relaxed);
        table
    }

    /// Makes the empty successor of a full table; `None` without memory.
    pub(crate) fn successor(self) -> Option<(Self, Region)> {
        /// Up to here a table becomes four times as large, so that few are filled anew; from here on twice: who follows the
        /// program reads all of it again and again.
        const LARGE: usize = 1 << 15;
        let capacity = self.capacity() * if self.capacity() < LARGE { 4 } else { 2 };
        let region = Region::map_for_process(Self::size(capacity), &Self::content(0, capacity))?;
        region.populate(0..Self::size(capacity));
        // SAFETY: fresh memory of the right size, aligned and zeroed; `capacity` is a
        // power of two. The region is unmapped only if the table is never published.
        let table = unsafe { Self::new(region.base(), capacity, self.owner()) };
        table.header().older.store(self.address() as *mut Entry, Ordering::Relaxed);
        Some((table, region))
    }

    /// The address that the stub knows the table by.
    pub(crate) fn address(self) -> usize {
        self.0.as_ptr() as usize
    }

    /// The table at an address that [`address`](Self::address) gave; `None` for 0.
    ///
    /// # Safety
    /// `address` must be 0 or come from `address`.
    pub(crate) unsafe fn from_address(address: usize) -> Option<Self> {
        NonNull::new(address as *mut Entry).map(Self)
    }

    /// The number its maker gave it.
    pub(crate) fn owner(self) -> usize {
        self.header().owner.load(Ordering::Relaxed)
    }

    /// Notes that calls are counted in the successor from now on.
    pub(crate) fn leave(self) {
        self.last().count.store(1, Ordering::Release);
    }

    /// The table this one succeeded.
    pub(crate) fn older(self) -> Option<Self> {
        NonNull::new(self.header().older.load(Ordering::Relaxed)).map(Self)
    }

    /// Adds `count` calls to an arc, and tells whether the table did not know it. Pcs that no code can have are ignored.
    pub(crate) fn add(self, from_pc: usize, self_pc: usize, count: u64) -> Result<bool, Full> {
        // Half full at most: a probe soon meets a free entry.
        self.add_until(self.capacity() / 2, from_pc, self_pc, count)
    }

    /// Adds like `add`, to a table that gets no successor: it may fill further before it refuses arcs.
    pub(crate) fn add_to_last(
        self,
        from_pc: usize,
        self_pc: usize,
        count: u64,
    ) -> Result<bool, Full> {
        self.add_until(self.most(), from_pc, self_pc, count)
    }

    /// Adds to an arc, which is a new one only if the table holds fewer than `most`.
    fn add_until(
        self,
        most: usize,
        from_pc: usize,
        self_pc: usize,
        count: u64,
    ) -> Result<bool, Full> {
        if self_pc <= CLAIMED {
            return Ok(false);
        }
        let header = self.header();
        let first = (hash(from_pc, self_pc) & header.mask.load(Ordering::Relaxed)) / ENTRY;
        for (index, entry) in self.entries().iter().enumerate().skip(first) {
            match entry.self_pc.load(Ordering::Acquire) {
                EMPTY => {
                    if header.used.load(Ordering::Relaxed) >= most {
                        return Err(Full);
                    }
                    if entry.claim() {
                        header.used.fetch_add(1, Ordering::Relaxed);
                        self.touch(index);
                        entry.from_pc.store(from_pc, Ordering::Relaxed);
                        entry.count.store(count, Ordering::Relaxed);
                        entry.self_pc.store(self_pc, Ordering::Release);
                        return Ok(true);
                    }
                }
                pc if pc == self_pc && entry.from_pc.load(Ordering::Relaxed) == from_pc => {
                    entry.count.fetch_add(count, Ordering::Relaxed);
                    return Ok(false);
                }
                _ => {}
            }
        }
        Err(Full)
    }

    /// The counts so far, in no order. An arc may occur in several tables, and, after a signal
    /// interrupted its first call, twice in one.
    pub(crate) fn counts(self) -> impl Iterator<Item = Counted> {
        self.touched().filter_map(|entry| {
            let self_pc = entry.self_pc.load(Ordering::Acquire);
            let count = entry.value();
            (self_pc > CLAIMED && count != 0)
                .then(|| Counted::of_entry(entry.from_pc.load(Ordering::Relaxed), self_pc, count))
        })
    }

    /// The number of arcs the table holds, or a few more.
    pub(crate) fn used(self) -> usize {
        self.header().used.load(Ordering::Relaxed)
    }

    /// Moves all counts to another table, or as many as have room there. Calls that are counted
    /// meanwhile are in one of the two.
    pub(crate) fn pour_into(self, other: Self) {
        for entry in self.touched().filter(|entry| entry.self_pc.load(Ordering::Acquire) > CLAIMED)
        {
            let count = entry.take();
            let from_pc = entry.from_pc.load(Ordering::Relaxed);
            let self_pc = entry.self_pc.load(Ordering::Relaxed);
            if count != 0 && other.add(from_pc, self_pc, count).is_err() {
                entry.count.fetch_add(count, Ordering::Relaxed);
            }
        }
    }

    /// Sets every count to zero. On machines of 64 bits a call that is counted meanwhile counts before or after.
    pub(crate) fn reset(self) {
        self.touched().filter(|entry| entry.value() != 0).for_each(Entry::forget);
    }

    /// The number of entries that lie from [`address`](Self::address) on, and the size of one in bytes.
    #[cfg(target_os = "none")]
    pub(crate) fn extent(self) -> (usize, usize) {
        (self.entries().len(), ENTRY)
    }

    /// The number of arcs after which [`add_to_last`](Self::add_to_last) refuses others.
    pub(crate) fn most(self) -> usize {
        self.capacity() / 4 * 3
    }

    fn capacity(self) -> usize {
        self.header().mask.load(Ordering::Relaxed) / ENTRY + 1
    }

    /// The entry that stays free.
    fn last(self) -> &'static Entry {
        // SAFETY: every Table comes from `new` or `SharedTable`, whose memory is valid for ever and has one more entry behind
        // these.
        unsafe { self.0.add(self.entries().len()).as_ref() }
    }

    /// All entries but the one that stays free.
    fn entries(self) -> &'static [Entry] {
        // SAFETY: every Table comes from `new` or `SharedTable`, whose memory is valid for ever and
        // holds this many entries, which are atomic and valid when zero.
        unsafe { core::slice::from_raw_parts(self.0.as_ptr(), self.capacity() + SPARE) }
    }

    /// The entries of the parts in which there is something: memory that was never written is not read
    /// either, or a page would be made for it.
    fn touched(self) -> impl Iterator<Item = &'static Entry> {
        let touched = self.header().touched.load(Ordering::Acquire);
        let parts = self.entries().chunks(self.part_len()).enumerate();
        parts.filter(move |(part, _)| touched & bit(*part) != 0).flat_map(|(_, entries)| entries)
    }

    /// Notes that there is something in the part of an entry.
    fn touch(self, index: usize) {
        let (touched, bit) = (&self.header().touched, bit(index / self.part_len()));
        if touched.load(Ordering::Relaxed) & bit == 0 {
            touched.fetch_or(bit, Ordering::Release);
        }
    }

    fn part_len(self) -> usize {
        (self.capacity() / PARTS).max(1)
    }

    fn header(self) -> &'static Header {
        // SAFETY: the header lies right before the first entry, in memory that is never unmapped.
        unsafe { self.0.cast::<Header>().sub(1).as_ref() }
    }
}

impl Entry {
    /// Makes a free entry the caller's to fill; false if somebody else was faster.
    fn claim(&self) -> bool {
        let claim =
            self.self_pc.compare_exchange(EMPTY, CLAIMED, Ordering::Relaxed, Ordering::Relaxed);
        claim.is_ok()
    }
}

#[cfg(target_pointer_width = "64")]
impl Entry {
    /// Calls since the counts were set to zero.
    fn value(&self) -> u64 {
        let count = self.count.load(Ordering::Relaxed);
        // Both may change in between.
        count.saturating_sub(self.forgotten.load(Ordering::Relaxed))
    }

    /// Sets the count to zero.
    fn forget(&self) {
        self.forgotten.store(self.count.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Sets the count to zero and returns what it was. Nobody else may set it to zero meanwhile.
    fn take(&self) -> u64 {
        let forgotten = self.forgotten.load(Ordering::Relaxed);
        let count = self.count.swap(0, Ordering::Relaxed);
        self.forgotten.store(0, Ordering::Relaxed);
        count.saturating_sub(forgotten)
    }
}

#[cfg(target_pointer_width = "32")]
impl Entry {
    /// Calls since the counts were set to zero.
    fn value(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// Sets the count to zero. A thread that is just counting may bring back what was there.
    fn forget(&self) {
        self.count.store(0, Ordering::Relaxed);
    }

    /// Sets the count to zero and returns what it was.
    fn take(&self) -> u64 {
        self.count.swap(0, Ordering::Relaxed)
    }
}

/// Mixes a key, as the stubs do.
pub(crate) fn hash(from_pc: usize, self_pc: usize) -> usize {
    let both = from_pc.wrapping_mul(stub::HASH_FROM).wrapping_add(self_pc);
    both.wrapping_mul(stub::HASH_BOTH) >> stub::HASH_SHIFT
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::vec::Vec;

    use super::*;

    fn table(capacity: usize) -> Table {
        let region = Region::map(Table::size(capacity)).unwrap();
        // SAFETY: a fresh mapping of the right size, never unmapped.
        unsafe { Table::new(region.base(), capacity, 7) }
    }

    fn sums(table: Table) -> BTreeMap<(usize, usize), u64> {
        let mut sums = BTreeMap::new();
        for counted in table.counts() {
            *sums.entry(counted.key()).or_insert(0) += counted.count;
        }
        sums
    }

    #[test]
    fn repeated_arc_adds_to_its_count() {
        let table = table(64);
        for _ in 0..3 {
            assert!(table.add(0x1000, 0x2000, 1).is_ok());
        }
        assert!(table.add(0x1000, 0x2000, 1 << 40).is_ok());
        assert_eq!(sums(table), BTreeMap::from([((0x1000, 0x2000), (1 << 40) + 3)]));
    }

    #[test]
    fn arcs_that_differ_in_one_end_are_distinct() {
        let table = table(64);
        let keys = [(1, 0x2000), (0, 0x2000), (0x2000, 0x2000), (1, 0x2001), (usize::MAX, 2)];
        for (from_pc, self_pc) in keys {
            assert!(table.add(from_pc, self_pc, 1).is_ok());
        }
        assert_eq!(sums(table), keys.map(|key| (key, 1)).into_iter().collect());
    }

    #[test]
    fn reset_forgets_what_was_counted_and_nothing_else() {
        let [table, other] = [64, 64].map(table);
        for (from_pc, count) in [(1, 5), (2, 7)] {
            assert!(table.add(from_pc, 0x2000, count).is_ok());
        }
        table.reset();
        assert_eq!((sums(table).len(), table.used()), (0, 2));
        assert!(table.add(1, 0x2000, 3).is_ok());
        assert_eq!(sums(table), BTreeMap::from([((1, 0x2000), 3)]));
        table.pour_into(other);
        assert!(table.add(1, 0x2000, 4).is_ok());
        let sums = [table, other].map(sums);
        assert_eq!(sums, [4, 3].map(|count| BTreeMap::from([((1, 0x2000), count)])));
    }

    #[test]
    fn table_takes_new_arcs_until_half_full_and_known_ones_always() {
        let table = table(64);
        let taken = (0..64).take_while(|i| table.add(16 * i, 0x2000, 1).is_ok()).count();
        assert_eq!((taken, table.used()), (32, 32));
        assert!(table.add(0, 0x2000, 1).is_ok());
        assert_eq!(sums(table)[&(0, 0x2000)], 2);
    }

    #[test]
    fn table_without_successor_takes_more_of_them() {
        let table = table(64);
        let taken = (0..64).take_while(|i| table.add_to_last(16 * i, 0x2000, 1).is_ok()).count();
        assert_eq!((taken, table.used()), (48, 48));
        assert!(table.add_to_last(0, 0x2000, 1).is_ok());
    }

    #[test]
    fn successor_is_empty_larger_and_remembers() {
        let full = table(64);
        assert!(full.add(1, 2, 1).is_ok());
        let (larger, _region) = full.successor().unwrap();
        assert_eq!((larger.used(), larger.capacity(), larger.owner()), (0, 256, 7));
        assert!(larger.older() == Some(full) && full.older().is_none());
        let (larger, _region) = table(1 << 15).successor().unwrap();
        assert_eq!(larger.capacity(), 1 << 16);
    }

    #[test]
    fn table_that_was_left_says_so_and_counts_on() {
        let full = table(64);
        let says = |table: Table| table.last().count.load(Ordering::Relaxed) != 0;
        assert!(!says(full));
        full.leave();
        assert!(says(full));
        assert!(full.add(1, 2, 1).is_ok());
        assert_eq!(sums(full), BTreeMap::from([((1, 2), 1)]));
    }

    #[test]
    fn parts_without_arcs_are_passed_over_and_no_arc_is() {
        for capacity in [64, 512, 2048] {
            let table = table(capacity);
            assert_eq!(table.touched().count(), 0);
            for n in 0..capacity / 2 {
                assert!(table.add(n, 0x2000, 1).is_ok());
                assert!(n > 0 || table.touched().count() <= capacity / PARTS + SPARE);
                assert_eq!(table.counts().count(), n + 1);
            }
            // The last part and what lies behind it.
            table.touch(capacity + SPARE - 1);
            let last = table.touched().last().map(core::ptr::from_ref);
            assert_eq!(last, table.entries().last().map(core::ptr::from_ref));
        }
    }

    #[test]
    fn entry_claimed_by_an_interrupted_call_is_passed_over() {
        let table = table(64);
        // What a signal handler finds that interrupted an insertion: the slot is taken, the key
        // not there yet. The handler's call must go elsewhere, and both must count.
        let first = (hash(5, 6) & mask(64)) / ENTRY;
        let slot = table.entries().get(first).unwrap();
        slot.self_pc.store(CLAIMED, Ordering::Relaxed);
        assert!(table.add(5, 6, 1).is_ok());
        assert_eq!(sums(table), BTreeMap::from([((5, 6), 1)]));
        table.touch(first);
        slot.from_pc.store(5, Ordering::Relaxed);
        slot.count.store(1, Ordering::Relaxed);
        slot.self_pc.store(6, Ordering::Release);
        assert_eq!(sums(table), BTreeMap::from([((5, 6), 2)]));
    }

    #[test]
    fn impossible_callees_are_ignored() {
        let table = table(64);
        assert!(table.add(9, EMPTY, 1).is_ok() && table.add(9, CLAIMED, 1).is_ok());
        assert_eq!(table.used(), 0);
    }

    #[test]
    fn threads_share_a_table_without_loss() {
        let shared = std::boxed::Box::leak(std::boxed::Box::new(SharedTable::new())).table();
        let address = shared.address();
        let workers: Vec<_> = (0..4)
            .map(|_| {
                std::thread::spawn(move || {
                    // SAFETY: the address of a leaked table.
                    let table = unsafe { Table::from_address(address) }.unwrap();
                    for i in 0..100_000 {
                        assert!(table.add(i % 100, 0x2000, 1).is_ok());
                    }
                })
            })
            .collect();
        workers.into_iter().for_each(|worker| worker.join().unwrap());
        let sums = sums(shared);
        assert_eq!((sums.len(), sums.values().sum::<u64>()), (100, 400_000));
        assert!(sums.values().all(|count| *count == 4_000));
    }
}
