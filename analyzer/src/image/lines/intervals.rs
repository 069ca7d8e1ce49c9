//! For each address the smallest of the ranges that hold it.

use std::cmp::Reverse;
use std::ops::Range;

use gmon_format::FilePc;

/// Addresses from a start up to the next interval, and whose they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval<T> {
    pub(super) start: FilePc,
    pub(super) owner: Option<T>,
}

/// Cuts the addresses into intervals with one owner each: the smallest range there and, of ranges of
/// one size, that of the highest owner.
pub(super) fn smallest<T: Copy + Ord>(mut ranges: Vec<(Range<FilePc>, T)>) -> Vec<Interval<T>> {
    ranges.retain(|(range, _)| !range.is_empty());
    let mut starts: Vec<FilePc> =
        ranges.iter().flat_map(|(range, _)| [range.start, range.end]).collect();
    starts.sort_unstable();
    starts.dedup();
    let place = |address| starts.partition_point(|&start| start < address);
    ranges.sort_unstable_by_key(|(range, owner)| (range.end - range.start, Reverse(*owner)));
    let mut owners = vec![None; starts.len()];
    let mut free = Free::new(starts.len());
    for (range, owner) in ranges {
        let end = place(range.end);
        let mut at = free.from(place(range.start));
        while at < end {
            owners[at] = Some(owner);
            at = free.take(at);
        }
    }
    let mut intervals: Vec<_> =
        starts.into_iter().zip(owners).map(|(start, owner)| Interval { start, owner }).collect();
    intervals.dedup_by_key(|interval| interval.owner);
    intervals
}

/// The items that meet `range`, out of items sorted by where they start, each of which ends where the next starts.
pub(super) fn within<'a, T>(
    items: &'a [T],
    range: &Range<FilePc>,
    start: impl Fn(&T) -> FilePc,
) -> &'a [T] {
    let first = items.partition_point(|item| start(item) <= range.start).saturating_sub(1);
    let end = items.partition_point(|item| start(item) < range.end);
    &items[first.min(end)..end]
}

/// Places that nobody took yet. Those that were are skipped in next to no time, however many they are.
struct Free {
    /// For each place one that is not after the next free one; a free place has itself.
    next: Vec<usize>,
}

impl Free {
    fn new(places: usize) -> Self {
        Self { next: (0..=places).collect() }
    }

    /// The first free place from `place` on; the number of places if there is none.
    fn from(&mut self, mut place: usize) -> usize {
        while self.next[place] != place {
            // Halves the way for whoever comes next.
            self.next[place] = self.next[self.next[place]];
            place = self.next[place];
        }
        place
    }

    /// Takes a free place, and finds the next one.
    fn take(&mut self, place: usize) -> usize {
        self.next[place] = place + 1;
        self.from(place + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_range_owns_an_address() {
        for (ranges, expected) in [
            (vec![], vec![]),
            (vec![(5..5, 1)], vec![]),
            (vec![(0..10, 0)], vec![(0, Some(0)), (10, None)]),
            (
                vec![(0..10, 0), (2..8, 1), (4..6, 2), (12..14, 0)],
                vec![
                    (0, Some(0)),
                    (2, Some(1)),
                    (4, Some(2)),
                    (6, Some(1)),
                    (8, Some(0)),
                    (10, None),
                    (12, Some(0)),
                    (14, None),
                ],
            ),
            // Of equal size: the later one.
            (vec![(0..4, 7), (0..4, 3)], vec![(0, Some(7)), (4, None)]),
            // They need not lie in each other.
            (vec![(0..4, 0), (2..9, 1)], vec![(0, Some(0)), (4, Some(1)), (9, None)]),
        ] {
            let ranges = ranges.into_iter().map(|(range, owner): (Range<u64>, _)| {
                (FilePc(range.start)..FilePc(range.end), owner)
            });
            let found = smallest(ranges.collect());
            let found: Vec<_> = found.iter().map(|it| (it.start.0, it.owner)).collect();
            assert_eq!(found, expected);
        }
    }
}
