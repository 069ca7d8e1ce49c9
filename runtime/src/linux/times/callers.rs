//! Numbers of a thread's calls by caller, where the user asks for them: tables by function and return address.
//!
//! *Context:* hook.

use core::mem::offset_of;
use core::sync::atomic::{AtomicUsize, Ordering};

use gmon_format::live::{Block, Content, Timing};
use gmon_system::region::Region;

use super::numbers::Numbers;
use crate::arcs;
use crate::linux::options::Options;

/// Pairs of function and return address, each with its numbers.
#[repr(C)]
pub(super) struct Callers {
    /// Address of the table that has what found no room here, or 0.
    next: AtomicUsize,
    pairs: [Numbers; ROOM],
}

/// Pairs for which a table has room, and tables of a thread, or of all that have ended. What finds no room stays among calls whose
/// callers are not told apart.
const ROOM: usize = 1 << 7;
const TABLES: usize = 8;
const TABLES_OF_ENDED: usize = 64;

impl Callers {
    /// An empty table, if times are to be told apart by caller, and there is memory.
    pub(super) fn new() -> Option<&'static Self> {
        let len = size_of::<Self>();
        let content = Block {
            content: Content::Times,
            len: len as u64,
            entries_at: offset_of!(Self, pairs) as u64,
            entries: ROOM as u64,
            entry_len: Timing::LEN as u32,
        };
        let is_wanted = Options::get().times_by_caller;
        let region = is_wanted.then(|| Region::map_for_process(len, &content)).flatten()?;
        // SAFETY: zeroed memory of its size, aligned, which nobody else knows and which stays; all of it is numbers.
        Some(unsafe { region.base().cast::<Self>().as_ref() })
    }

    /// The one at an address.
    pub(super) fn at(address: usize) -> Option<&'static Self> {
        // SAFETY: 0, or what `new` has made, which stays.
        unsafe { (address as *const Self).as_ref() }
    }

    pub(super) fn address(&'static self) -> usize {
        core::ptr::from_ref(self).addr()
    }

    /// The numbers of a function's calls in a thread, or in all that have ended if it is 0, that return to an address; `None`
    /// without room.
    pub(super) fn of(
        &'static self,
        function: u64,
        thread: i32,
        return_pc: u64,
    ) -> Option<&'static Numbers> {
        let mut table = self;
        let tables = if thread == 0 { TABLES_OF_ENDED } else { TABLES };
        for _ in 1..tables {
            match table.find(function, thread, return_pc) {
                None => table = table.next_or_new()?,
                found => return found,
            }
        }
        table.find(function, thread, return_pc)
    }

    fn find(&'static self, function: u64, thread: i32, return_pc: u64) -> Option<&'static Numbers> {
        /// Pairs that are looked at before one is given up.
        const TRIES: usize = 16;
        let first = arcs::hash(return_pc as usize, function as usize);
        let places = (0..TRIES).map(|next| first.wrapping_add(next) % ROOM);
        let mut pairs = places.filter_map(|place| self.pairs.get(place));
        pairs.find(|it| it.take(function, thread, return_pc))
    }

    fn next(&'static self) -> Option<&'static Self> {
        Self::at(self.next.load(Ordering::Acquire))
    }

    fn next_or_new(&'static self) -> Option<&'static Self> {
        self.next().or_else(|| {
            let new = Self::new()?;
            let (success, failure) = (Ordering::AcqRel, Ordering::Acquire);
            // Several threads may end at once, and hand over what they have.
            let next = self.next.compare_exchange(0, new.address(), success, failure);
            next.map_or_else(Self::at, |_| Some(new))
        })
    }

    /// The numbers of the pair at a position in all tables, which may be nobody's.
    pub(super) fn pair(&'static self, position: usize) -> Option<&'static Numbers> {
        let mut table = self;
        for _ in 0..position / ROOM {
            table = table.next()?;
        }
        table.pairs.get(position % ROOM)
    }

    /// The numbers of all pairs that there are.
    pub(super) fn each(&'static self) -> impl Iterator<Item = &'static Numbers> + Clone {
        let pairs = (0..).map_while(|position| self.pair(position));
        pairs.filter(|numbers| numbers.function() != 0)
    }
}
