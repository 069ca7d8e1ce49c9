//! A table of call-graph arcs: exact (frompc, selfpc) → count.
//!
//! Open addressing with linear probing in mapped memory. The stub probes the same table and
//! increments a count it finds; this file does the rest. What makes that safe without a lock:
//!
//! * A thread's table is written by that thread alone, and by signal handlers that interrupt it.
//!   The table of [`threads::count_shared`](crate::threads) is written by all, but only from here.
//! * An empty entry is first claimed by compare-exchange, then filled, and its selfpc is published
//!   last, so that neither a handler nor the writer ever sees half a key.
//! * Entries are never moved or removed. A full table gets a larger, empty successor and keeps its
//!   counts: an increment that a handler interrupted still lands in memory that is summed at exit.
//!
//! *Context:* hook, signal; reading also exit.

use core::mem::offset_of;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use crate::region::Region;

/// Where the stub finds the fields.
const _: () = {
    assert!(offset_of!(Header, mask) == 0);
    assert!(size_of::<Header>() == 64);
    assert!(offset_of!(Entry, self_pc) == 0);
    assert!(offset_of!(Entry, from_pc) == 8);
    assert!(offset_of!(Entry, count) == 16);
    assert!(size_of::<Entry>() == 32);
};

/// An entry nobody claimed.
const EMPTY: usize = 0;
/// An entry whose key is being written. Never the selfpc of a call.
const CLAIMED: usize = 1;

#[repr(C, align(64))]
struct Header {
    /// Number of entries - 1, times the size of an entry: turns a hash into a byte offset.
    mask: AtomicUsize,
    used: AtomicUsize,
    older: AtomicPtr<Header>,
    owner: AtomicUsize,
}

#[repr(C, align(32))]
struct Entry {
    self_pc: AtomicUsize,
    from_pc: AtomicUsize,
    count: AtomicU64,
}

/// One arc and how often it was taken.
#[derive(Clone, Copy)]
pub(crate) struct Arc {
    pub(crate) from_pc: usize,
    pub(crate) self_pc: usize,
    pub(crate) count: u64,
}

/// A table has no room for a new arc.
pub(crate) struct Full;

/// A table, by the address that the stub uses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Table(NonNull<Header>);

/// Room for a table of [`SharedTable::CAPACITY`] entries in the program's zeroed data.
#[repr(C)]
pub(crate) struct SharedTable {
    header: Header,
    entries: [Entry; Self::CAPACITY],
}

impl SharedTable {
    const CAPACITY: usize = 512;

    #[allow(clippy::declare_interior_mutable_const)]
    const FREE: Entry = Entry {
        self_pc: AtomicUsize::new(EMPTY),
        from_pc: AtomicUsize::new(0),
        count: AtomicU64::new(0),
    };

    pub(crate) const fn new() -> Self {
        let header = Header {
            mask: AtomicUsize::new(0),
            used: AtomicUsize::new(0),
            older: AtomicPtr::new(core::ptr::null_mut()),
            owner: AtomicUsize::new(0),
        };
        Self { header, entries: [Self::FREE; Self::CAPACITY] }
    }

    pub(crate) fn table(&'static self) -> Table {
        // Set here and not in `new`, so that the table lies in .bss and not in the file.
        self.header.mask.store(mask(Self::CAPACITY), Ordering::Relaxed);
        Table(NonNull::from(self).cast())
    }
}

const fn mask(capacity: usize) -> usize {
    (capacity - 1) * size_of::<Entry>()
}

impl Table {
    /// Bytes of memory that a table of `capacity` entries takes.
    pub(crate) const fn size(capacity: usize) -> usize {
        size_of::<Header>() + capacity * size_of::<Entry>()
    }

    /// Makes an empty table in zeroed memory.
    ///
    /// # Safety
    /// `memory` must be 64-byte aligned and [`size(capacity)`](Self::size) bytes large, zeroed,
    /// unknown to anybody else and valid for ever. `capacity` must be a power of two.
    pub(crate) unsafe fn new(memory: NonNull<u8>, capacity: usize, owner: usize) -> Self {
        debug_assert!(capacity.is_power_of_two());
        let table = Self(memory.cast());
        table.header().mask.store(mask(capacity), Ordering::Relaxed);
        table.header().owner.store(owner, Ordering::Relaxed);
        table
    }

    /// Makes the empty successor of a full table, four times its size; `None` without memory.
    pub(crate) fn successor(self) -> Option<(Self, Region)> {
        let capacity = self.capacity() * 4;
        let region = Region::map(Self::size(capacity))?;
        // SAFETY: a fresh mapping of the right size, page-aligned and zeroed; `capacity` is four
        // times a power of two. The region is unmapped only if the table is never published.
        let table = unsafe { Self::new(region.base(), capacity, self.owner()) };
        table.header().older.store(self.address() as *mut Header, Ordering::Relaxed);
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
        NonNull::new(address as *mut Header).map(Self)
    }

    /// The number its maker gave it.
    pub(crate) fn owner(self) -> usize {
        self.header().owner.load(Ordering::Relaxed)
    }

    /// The table this one succeeded.
    pub(crate) fn older(self) -> Option<Self> {
        NonNull::new(self.header().older.load(Ordering::Relaxed)).map(Self)
    }

    /// Adds `count` calls to an arc. Pcs that no code can have are ignored.
    pub(crate) fn add(self, from_pc: usize, self_pc: usize, count: u64) -> Result<(), Full> {
        if self_pc <= CLAIMED {
            return Ok(());
        }
        let header = self.header();
        let mut offset = hash(from_pc, self_pc);
        loop {
            let entry = self.entry(offset);
            match entry.self_pc.load(Ordering::Acquire) {
                EMPTY => {
                    // Half full at most: a probe always meets an empty entry, and soon.
                    if header.used.load(Ordering::Relaxed) * 2 >= self.capacity() {
                        return Err(Full);
                    }
                    let claim = entry.self_pc.compare_exchange(
                        EMPTY,
                        CLAIMED,
                        Ordering::Relaxed,
                        Ordering::Relaxed,
                    );
                    if claim.is_err() {
                        continue;
                    }
                    header.used.fetch_add(1, Ordering::Relaxed);
                    entry.from_pc.store(from_pc, Ordering::Relaxed);
                    entry.count.store(count, Ordering::Relaxed);
                    entry.self_pc.store(self_pc, Ordering::Release);
                    return Ok(());
                }
                pc if pc == self_pc && entry.from_pc.load(Ordering::Relaxed) == from_pc => {
                    entry.count.fetch_add(count, Ordering::Relaxed);
                    return Ok(());
                }
                _ => offset = offset.wrapping_add(size_of::<Entry>()),
            }
        }
    }

    /// The arcs counted so far, in no order. An arc may occur in several tables, and, after a
    /// signal interrupted its first call, twice in one.
    pub(crate) fn arcs(self) -> impl Iterator<Item = Arc> {
        self.entries().filter_map(|entry| {
            let self_pc = entry.self_pc.load(Ordering::Acquire);
            let count = entry.count.load(Ordering::Relaxed);
            (self_pc > CLAIMED && count != 0).then(|| Arc {
                from_pc: entry.from_pc.load(Ordering::Relaxed),
                self_pc,
                count,
            })
        })
    }

    /// The number of arcs the table holds, or a few more.
    pub(crate) fn used(self) -> usize {
        self.header().used.load(Ordering::Relaxed)
    }

    /// Sets every count to zero.
    pub(crate) fn reset(self) {
        for entry in self.entries() {
            entry.count.store(0, Ordering::Relaxed);
        }
    }

    fn capacity(self) -> usize {
        self.header().mask.load(Ordering::Relaxed) / size_of::<Entry>() + 1
    }

    fn entries(self) -> impl Iterator<Item = &'static Entry> {
        (0..self.capacity()).map(move |i| self.entry(i * size_of::<Entry>()))
    }

    fn header(self) -> &'static Header {
        // SAFETY: every Table comes from `new` or `SharedTable`, whose memory is valid for ever and
        // holds a Header (all of whose fields are atomic, and valid when zero).
        unsafe { self.0.as_ref() }
    }

    /// The entry at a byte offset, which wraps at the table's end.
    fn entry(self, offset: usize) -> &'static Entry {
        let offset = offset & self.header().mask.load(Ordering::Relaxed);
        // SAFETY: `mask` keeps the offset a multiple of the entry's size and below the capacity
        // that the table's maker promised memory for; entries are atomic and valid when zero.
        unsafe { self.0.byte_add(size_of::<Header>() + offset).cast().as_ref() }
    }
}

/// Mixes a key. The stub computes the same; see "Hot path" in ARCHITECTURE.md for the choice.
fn hash(from_pc: usize, self_pc: usize) -> usize {
    from_pc.wrapping_mul(0x2f0b_4c47).wrapping_add(self_pc).wrapping_mul(0x6a09_e667) >> 22
}
