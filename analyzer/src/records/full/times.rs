//! Times of calls, as full profiles have them.

use std::collections::BTreeMap;

use gmon_format::live::Timing;
use serde::{Deserialize, Serialize};

use super::parts::{CodePlace, ThreadId};

/// The times that calls of a function took in a thread, added up over processes and runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallTimes {
    /// A place in the function.
    pub function: CodePlace,
    /// The thread; `None` for several that have ended.
    pub thread: Option<ThreadId>,
    /// Numbers.
    pub times: Times,
}

/// Times of calls, added up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// Number of calls that were timed.
    pub timed: u64,
    /// Number of calls whose end was never seen.
    pub without_end: u64,
    /// The sum of the times of all calls, in nanoseconds.
    pub total_ns: u64,
    /// The longest time, in nanoseconds.
    pub longest_ns: u64,
    /// Every so many calls were timed at the end.
    pub every: u64,
    /// True if a bucket had more calls than it can count: then only the sum and the longest time are known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_full: bool,
    /// Calls by bucket of [`Timing`]; each stands for as many as were not timed.
    pub buckets: BTreeMap<u16, u64>,
}

impl Times {
    /// Times of an entry.
    pub(super) fn of(timing: &Timing<'_>) -> Self {
        let Timing { timed, without_end, total_ns, longest_ns, every, .. } = *timing;
        let is_full = timing.buckets().any(|(_, calls)| calls == u32::MAX);
        let buckets = timing.buckets().map(|(bucket, calls)| (bucket as u16, calls.into()));
        let buckets = buckets.collect();
        Self { timed, without_end, total_ns, longest_ns, every, is_full, buckets }
    }

    /// Adds others.
    pub fn absorb(&mut self, others: &Self) {
        for (sum, more) in [
            (&mut self.timed, others.timed),
            (&mut self.without_end, others.without_end),
            (&mut self.total_ns, others.total_ns),
        ] {
            *sum = sum.saturating_add(more);
        }
        self.longest_ns = self.longest_ns.max(others.longest_ns);
        self.every = self.every.max(others.every);
        self.is_full |= others.is_full;
        for (bucket, calls) in &others.buckets {
            let sum = self.buckets.entry(*bucket).or_default();
            *sum = sum.saturating_add(*calls);
        }
    }

    /// Number of calls that the histogram stands for.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.buckets.values().fold(0, |sum, calls| sum.saturating_add(*calls))
    }

    /// The mean time, in nanoseconds; `None` without calls, or if they could not be counted.
    #[must_use]
    pub fn mean_ns(&self) -> Option<u64> {
        self.total_ns.checked_div(self.calls()).filter(|_| !self.is_full)
    }

    /// The time that this part of all calls does not exceed, in nanoseconds, within 3 %; `None` without calls, or if they could
    /// not be counted.
    #[must_use]
    pub fn quantile_ns(&self, part: f64) -> Option<u64> {
        if self.is_full {
            return None;
        }
        let calls = self.calls();
        let wanted = ((calls as f64 * part).ceil() as u64).clamp(1, calls.max(1));
        let mut before: u64 = 0;
        for (&bucket, &count) in &self.buckets {
            if before.saturating_add(count) >= wanted {
                let (first, end) = Timing::bounds_of(bucket.into());
                // Calls of a bucket lie evenly in it.
                let within = ((wanted - before) as f64 - 0.5) / count as f64;
                let ns = first + ((end - first) as f64 * within) as u64;
                return Some(ns.min(self.longest_ns.max(first)));
            }
            before = before.saturating_add(count);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_within_a_bucket() {
        let mut times = Times { longest_ns: 40_000_000, ..Times::default() };
        assert_eq!(times.quantile_ns(0.5), None);
        for (ns, calls) in [(1000_u64, 980), (40_000_000, 20)] {
            times.buckets.insert(Timing::bucket_of(ns) as u16, calls);
        }
        let near = |part: f64, ns: f64| {
            let found = times.quantile_ns(part).expect("calls") as f64;
            assert!((found / ns - 1.0).abs() < 0.03, "{part}: {found}, not {ns}");
        };
        near(0.5, 1000.0);
        near(0.98, 1000.0);
        near(0.981, 40e6);
        near(1.0, 40e6);

        // More than a bucket can count, and numbers that nobody has counted.
        times.buckets.insert(3, u64::MAX);
        assert!(times.quantile_ns(0.9).is_some() && times.mean_ns() == Some(0));
        times.is_full = true;
        assert_eq!((times.quantile_ns(0.5), times.mean_ns()), (None, None));
    }
}
