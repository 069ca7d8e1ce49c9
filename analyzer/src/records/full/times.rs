//! Times of calls, as full profiles have them.

use std::collections::BTreeMap;

use gmon_format::live::Timing;
use serde::{Deserialize, Serialize};

use super::parts::{CodePlace, ThreadId};
use crate::totals::add;

/// The times that calls of a function took in a thread, added up over processes and runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallTimes {
    /// A place in the function.
    pub function: CodePlace,
    /// The place that they returned to; `None` if their callers are not told apart.
    pub caller: Option<CodePlace>,
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
    pub(crate) fn of(timing: &Timing<'_>) -> Self {
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
            add(self.buckets.entry(*bucket).or_default(), *calls);
        }
    }

    /// Times that came since earlier ones of the same calls. The longest is exact if it is the longest of all, and within a
    /// bucket otherwise.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        // Set to zero in between.
        if self.timed < earlier.timed {
            return self.clone();
        }
        let mut buckets = self.buckets.clone();
        buckets.retain(|bucket, calls| {
            let before = earlier.buckets.get(bucket).copied().unwrap_or_default();
            *calls = calls.saturating_sub(before);
            *calls != 0
        });
        let longest = buckets.keys().next_back().map_or(0, |bucket| {
            let (_, end) = Timing::bounds_of((*bucket).into());
            if self.longest_ns > earlier.longest_ns { self.longest_ns } else { end - 1 }
        });
        Self {
            timed: self.timed - earlier.timed,
            without_end: self.without_end.saturating_sub(earlier.without_end),
            total_ns: self.total_ns.saturating_sub(earlier.total_ns),
            longest_ns: longest.min(self.longest_ns),
            buckets,
            ..*self
        }
    }

    /// Number of calls that the histogram stands for.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.buckets.values().fold(0, |sum, calls| sum.saturating_add(*calls))
    }

    /// Returns `true` if each of these calls was timed itself, so that their number is no estimate.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.timed == self.calls()
    }

    /// Number of calls, of so many in all, that were neither timed nor left without an end, as where times were off. Where
    /// timed calls stand for others, less than a tenth of all may be an error of that estimate, and counts as none.
    #[must_use]
    pub fn unknown_of(&self, calls: u64) -> u64 {
        let is_exact = self.is_exact();
        let ends = if is_exact { 1 } else { self.every };
        let known = self.calls().saturating_add(self.without_end.saturating_mul(ends));
        let rest = calls.saturating_sub(known);
        if self.is_full || (!is_exact && rest < calls / 10) { 0 } else { rest }
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
    fn times_since_others_have_a_longest_of_their_own() {
        let mut earlier = Times { timed: 3, total_ns: 9_000, without_end: 1, ..Times::default() };
        for (ns, calls) in [(1_000, 2), (7_000, 1)] {
            earlier.buckets.insert(Timing::bucket_of(ns) as u16, calls);
        }
        earlier.longest_ns = 7_000;
        let mut now = Times { timed: 5, total_ns: 11_000, ..earlier.clone() };
        now.buckets.insert(Timing::bucket_of(1_000) as u16, 4);
        let new = now.since(&earlier);
        assert_eq!((new.timed, new.total_ns, new.without_end, new.calls()), (2, 2_000, 0, 2));
        assert!((1_000..1_032).contains(&new.longest_ns), "{new:?}");
        assert_eq!(now.since(&now).longest_ns, 0);

        now.buckets.insert(Timing::bucket_of(9_000) as u16, 1);
        now.longest_ns = 9_003;
        assert_eq!(now.since(&earlier).longest_ns, 9_003);
        // Counts that went down began again.
        assert_eq!(earlier.since(&now), earlier);
    }

    #[test]
    fn calls_without_times_are_known_within_the_error_of_estimates() {
        let mut times = Times { timed: 90, without_end: 6, every: 4, ..Times::default() };
        times.buckets.insert(1, 90);
        assert_eq!([96, 97, 90, 500].map(|calls| times.unknown_of(calls)), [0, 1, 0, 404]);
        // Each stands for four.
        times.buckets.insert(1, 360);
        assert_eq!([384, 400, 500].map(|calls| times.unknown_of(calls)), [0, 0, 116]);
        times.is_full = true;
        assert_eq!(times.unknown_of(500), 0);
    }

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
