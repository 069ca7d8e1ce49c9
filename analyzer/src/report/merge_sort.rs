//! The way of sorting that GNU gprof's output depends on where it compares without an order.

use std::cmp::Ordering;
use std::iter::Peekable;
use std::vec::IntoIter;

/// Halves the items, the larger half last, sorts each, and merges them; of two that compare as equal
/// the first one stays first.
pub(super) fn merge_sort<T>(
    mut items: Vec<T>,
    compare: impl Copy + Fn(&T, &T) -> Ordering,
) -> Vec<T> {
    if items.len() < 2 {
        return items;
    }
    let second = items.split_off(items.len() / 2);
    let merge = Merge {
        first: merge_sort(items, compare).into_iter().peekable(),
        second: merge_sort(second, compare).into_iter().peekable(),
        compare,
    };
    merge.collect()
}

struct Merge<T, F> {
    first: Peekable<IntoIter<T>>,
    second: Peekable<IntoIter<T>>,
    compare: F,
}

impl<T, F: Fn(&T, &T) -> Ordering> Iterator for Merge<T, F> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match (self.first.peek(), self.second.peek()) {
            (Some(first), Some(second)) if (self.compare)(first, second).is_gt() => {
                self.second.next()
            }
            (Some(_), _) => self.first.next(),
            (None, _) => self.second.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.first.len() + self.second.len();
        (len, Some(len))
    }
}
