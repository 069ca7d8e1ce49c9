//! Chance: at which moment of a period a thread is looked at.
//!
//! Looks at equal distances keep step with any program whose own rhythm is near n/m of theirs, and then see one of its
//! parts only. Numbers that are spread evenly (see [`rounding`](super::rounding)) have a rhythm, too.
//!
//! *Context:* any.

use core::sync::atomic::{AtomicU32, Ordering};

use gmon_system::platform;

/// Number of the next draw.
static STATE: AtomicU32 = AtomicU32::new(0);

/// Begins at another number in each process.
pub(in super::super) fn begin() {
    let now = platform::monotonic();
    STATE.fetch_add(mix(now as u32) ^ mix((now >> 32) as u32), Ordering::Relaxed);
}

/// A number of nanoseconds from 0 up to, not including, `limit`.
pub(in super::super) fn below(limit: i64) -> i64 {
    part(limit, STATE.fetch_add(1, Ordering::Relaxed))
}

/// A part that depends on the number alone: the moment of the period that has it.
pub(in super::super) fn part(limit: i64, number: u32) -> i64 {
    (limit * i64::from(mix(number) >> 8)) >> 24
}

/// A word in which each bit depends on all of the number's: the end of MurmurHash3, which is in the public domain.
const fn mix(number: u32) -> u32 {
    let mut word = number.wrapping_mul(0x9e37_79b9);
    word = (word ^ (word >> 16)).wrapping_mul(0x85eb_ca6b);
    word = (word ^ (word >> 13)).wrapping_mul(0xc2b2_ae35);
    word ^ (word >> 16)
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// Draws that follow each other have nothing in common: neither one nor two of them favour a part.
    #[test]
    fn parts_are_even_and_independent() {
        const DRAWS: u32 = 40_000;
        const LIMIT: i64 = 1_000_000;
        let parts: Vec<_> = (0..DRAWS).map(|number| part(LIMIT, number)).collect();
        let quarter = |part: &i64| (part * 4 / LIMIT) as usize;
        let (mut alone, mut pairs) = ([0; 4], [0; 16]);
        for pair in parts.windows(2) {
            assert!((0..LIMIT).contains(&pair[0]));
            alone[quarter(&pair[0])] += 1;
            pairs[quarter(&pair[0]) * 4 + quarter(&pair[1])] += 1;
        }
        // The numbers are always the same, so these bounds hold always, too.
        assert!(alone.iter().all(|n| (9_600..10_400).contains(n)), "{alone:?}");
        assert!(pairs.iter().all(|n| (2_300..2_700).contains(n)), "{pairs:?}");
    }
}
