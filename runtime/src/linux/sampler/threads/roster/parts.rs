//! The memory of the roster: an array of entries that grows and never moves.
//!
//! *Context:* any.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use gmon_system::region::Region;

use super::entry::Entry;

/// Entries that need no memory from the system: as many as most programs have threads.
const FIRST: usize = 32;

/// Each later part of the array is as long as all before it together. Linux has at most 2^22 threads.
const PARTS: usize = 18;

static FIRST_PART: [Entry; FIRST] = [const { Entry::free() }; FIRST];
static LATER_PARTS: [AtomicPtr<Entry>; PARTS] = [const { AtomicPtr::new(null_mut()) }; PARTS];

/// The entry of an index, if there is memory for it.
pub(super) fn at(index: usize) -> Option<&'static Entry> {
    let (part, offset) = place_of(index);
    part_entries(part)?.get(offset)
}

/// Part of an entry, and its place there.
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

/// The entries of a part, if there is memory for them.
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

/// The entry of an index, in memory that is mapped if need be; `None` if there is none.
pub(super) fn make(index: usize) -> Option<&'static Entry> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
