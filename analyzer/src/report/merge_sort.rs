//! The way of sorting that GNU gprof's output depends on where it compares without an order.

use std::cmp::Ordering;
use std::iter;

/// Halves the items, the larger half last, sorts each, and merges them; of two that compare as equal
/// the first one stays first.
pub(super) fn merge_sort<T>(
    mut items: Vec<T>,
    compare: impl Copy + Fn(&T, &T) -> Ordering,
) -> Vec<T> {
    if items.len() < 2 {
        return items;
    }
    let len = items.len();
    let second = items.split_off(len / 2);
    let mut first = merge_sort(items, compare).into_iter().peekable();
    let mut second = merge_sort(second, compare).into_iter().peekable();
    let mut merged = Vec::with_capacity(len);
    merged.extend(iter::from_fn(|| match (first.peek(), second.peek()) {
        (Some(one), Some(other)) if compare(one, other).is_gt() => second.next(),
        (Some(_), _) => first.next(),
        (None, _) => second.next(),
    }));
    merged
}
