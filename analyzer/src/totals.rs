//! Totals of counts.

/// Adds to a total, which stays the largest number where there is none for it.
pub(crate) fn add(total: &mut u64, more: u64) {
    *total = total.saturating_add(more);
}
