//! Fair rounding of the time of threads that live shorter, or a little longer, than a period.
//!
//! If each thread's first sample came a whole period after its start, a thousand threads of nine
//! tenths of a period would leave no trace. So each begins at another part of a period, and so does the first one of each process.
//!
//! *Context:* any.

use core::sync::atomic::{AtomicU32, Ordering};

use super::chance;

/// Number of the next thread that begins to be sampled.
static STARTED: AtomicU32 = AtomicU32::new(0);

/// Begins at another part in each process.
pub(in super::super) fn begin() {
    const ANY: i64 = 1 << 24;
    STARTED.store(chance::below(ANY) as u32, Ordering::Relaxed);
}

/// A part of `period` for the next thread.
pub(in super::super) fn next_part(period: i64) -> i64 {
    part(period, STARTED.fetch_add(1, Ordering::Relaxed))
}

/// Multiples of the golden section are spread evenly over the period, however many there are.
fn part(period: i64, i: u32) -> i64 {
    const GOLDEN_SECTION: u32 = 0x9e37_79b9;
    let part = i.wrapping_mul(GOLDEN_SECTION);
    (period * i64::from(part >> 8)) >> 24
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn parts_are_spread_evenly_from_the_first_on() {
        for count in [10, 100, 1000] {
            let mut parts: Vec<_> = (0..count).map(|i| part(10_000_000, i)).collect();
            parts.sort_unstable();
            assert!(parts.iter().all(|part| (0..10_000_000).contains(part)));
            let widest = parts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
            assert!(widest < 3 * 10_000_000 / i64::from(count), "{count}: {widest}");
        }
    }
}
