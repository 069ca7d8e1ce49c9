//! The one table: there are no threads, and harts and interrupt handlers all count in it.
//!
//! The table is made when the profile starts and as large as it will ever be, so that no hook takes
//! longer than another. When it is full, the arcs that are in it are counted on.
//!
//! *Context:* `begin` startup; `count` hook; the rest exit.

use core::sync::atomic::{Ordering, fence};

use gmon_system::arch;
use gmon_system::atomic::AtomicUsize;
use gmon_system::region::Region;

use crate::arcs::Table;
use crate::counted::Counted;

/// Calls that were not counted: the table had no room for their arc.
static LOST: AtomicUsize = AtomicUsize::new(0);

/// The smallest table worth the trouble.
const LEAST_CAPACITY: usize = 16;

/// Makes the table, in three fifths of the memory that is left at most; the rest is for the histogram. False if
/// there is not enough.
pub(crate) fn begin() -> bool {
    if table().is_some() {
        return true;
    }
    // A little more than half: half of a power of two just fails to hold a table of half its entries.
    let room = Region::room() / 5 * 3;
    let capacities = core::iter::successors(Some(LEAST_CAPACITY), |capacity| Some(capacity * 2));
    let fitting = capacities.take_while(|capacity| Table::size(*capacity) <= room).last();
    let Some((capacity, region)) =
        fitting.and_then(|capacity| Some((capacity, Region::map(Table::size(capacity))?)))
    else {
        return false;
    };
    // SAFETY: zeroed memory of the right size and alignment, which nobody else knows and which is never
    // given back; `capacity` is a power of two.
    let table = unsafe { Table::new(region.base(), capacity, 0) };
    // Another hart may meet the address before the state that allows to use it: no earlier than the zeros.
    fence(Ordering::Release);
    arch::set_table_word(table.address());
    true
}

/// Counts a call.
pub(crate) fn count(from_pc: usize, self_pc: usize) {
    let counted = table().is_some_and(|table| table.add_to_last(from_pc, self_pc, 1).is_ok());
    if !counted {
        LOST.fetch_add(1, Ordering::Relaxed);
    }
}

/// The counts, with repetitions: two may have begun to count the same one at the same time.
pub(crate) fn counts() -> impl Iterator<Item = Counted> {
    table().into_iter().flat_map(Table::counts)
}

/// The number of counts that [`counts`] gives, or a few more.
pub(crate) fn used() -> usize {
    table().map_or(0, Table::used)
}

/// Calls that were not counted.
pub(crate) fn lost() -> u64 {
    LOST.load(Ordering::Relaxed) as u64
}

/// Sets all counts to zero.
pub(crate) fn reset() {
    table().into_iter().for_each(Table::reset);
    LOST.store(0, Ordering::Relaxed);
}

/// The one table, once it was made.
pub(super) fn table() -> Option<Table> {
    // SAFETY: only `begin` sets the word, to the address of a table.
    arch::table_word().and_then(|word| unsafe { Table::from_address(word) })
}
