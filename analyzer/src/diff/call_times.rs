//! Times of calls on both sides, of functions whose calls were timed.

use std::collections::{BTreeMap, BTreeSet};

use super::correction::{false_discovery, family_wise};
use super::design::degrees_of_freedom;
use super::shift::{Shares, longer, mann_whitney, permutation};
use super::side::Side;
use super::statistics::{mean, quantile_of_t, squares, tails_of_t};
use crate::records::{Figure, Times};

/// The times of the calls of a function, in all runs of both sides.
#[derive(Clone, Debug)]
pub struct CallTimes {
    /// The function's number.
    pub function: u32,
    /// The runs of each side; those without timed calls have none.
    pub runs: [Vec<Times>; 2],
    /// All runs of each side together; `None` for a side without timed calls.
    pub sides: [Option<Times>; 2],
    /// Part of the pairs of calls in which that of the new side takes longer, with half of those that are equal; `None` unless
    /// both sides have histograms.
    pub longer: Option<f64>,
    /// Probability that chance alone makes a difference as large.
    pub p: Option<f64>,
    /// `p`, corrected for the number of functions by Benjamini and Hochberg.
    pub q: Option<f64>,
    /// `p`, corrected by Holm, which is stricter.
    pub holm: Option<f64>,
    /// True if each side is one run, so that `p` is only about the calls of these two.
    pub is_of_calls: bool,
}

/// The change of a figure between runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// The figure of each side, in nanoseconds: the geometric mean of its runs.
    pub sides_ns: [f64; 2],
    /// Between which differences the true one lies, in 95 of 100 cases.
    pub interval_ns: [f64; 2],
    /// Probability that chance alone makes a difference as large.
    pub p: f64,
}

/// The call times of all functions that one side at least has timed.
pub(super) fn call_times(
    sides: &[Side; 2],
    numbers: &[Vec<u32>; 2],
    runs: [usize; 2],
    has_pairs: bool,
) -> Vec<CallTimes> {
    let by_function = [0, 1].map(|side| {
        let timed = sides[side].call_times.iter();
        timed.map(|(at, times)| (numbers[side][*at as usize], times)).collect::<BTreeMap<_, _>>()
    });
    let functions: BTreeSet<u32> = by_function.iter().flat_map(|it| it.keys().copied()).collect();
    let of = |function: u32| {
        let times = [0, 1].map(|side| {
            let known = by_function[side].get(&function);
            known.map_or_else(|| vec![Times::default(); runs[side]], |times| (*times).clone())
        });
        CallTimes::new(function, times, has_pairs)
    };
    let mut list: Vec<CallTimes> = functions.into_iter().map(of).collect();
    let p: Vec<f64> = list.iter().filter_map(|it| it.p).collect();
    let corrected = false_discovery(&p).into_iter().zip(family_wise(&p));
    for (times, (q, holm)) in list.iter_mut().filter(|it| it.p.is_some()).zip(corrected) {
        (times.q, times.holm) = (Some(q), Some(holm));
    }
    list
}

impl CallTimes {
    fn new(function: u32, runs: [Vec<Times>; 2], has_pairs: bool) -> Self {
        let timed = |times: &&Times| times.timed > 0;
        let sides = runs.each_ref().map(|runs| {
            runs.iter().filter(timed).cloned().reduce(|mut sum, times| {
                sum.absorb(&times);
                sum
            })
        });
        let kept = kept(&runs, has_pairs);
        let shares = kept.each_ref().map(|runs| mixture(runs));
        let are_known = shares.iter().all(|it| !it.is_empty());
        let is_of_calls = runs.iter().all(|runs| runs.len() == 1);
        let [base, new] = &shares;
        let p = are_known.then(|| {
            if is_of_calls {
                // Calls that were not timed tell nothing.
                let calls = kept.each_ref().map(|runs| runs[0].timed as f64);
                mann_whitney(base, new, calls)
            } else {
                permutation(&figures(&kept), has_pairs).0
            }
        });
        let longer = are_known.then(|| longer(base, new));
        Self { function, runs, sides, longer, p, q: None, holm: None, is_of_calls }
    }

    /// Returns `true` if the sides differ by more than chance, where one of `level` of those shown may be wrong. One run
    /// of each side never shows it: runs differ by themselves.
    #[must_use]
    pub fn differ(&self, level: f64) -> bool {
        !self.is_of_calls && self.q.is_some_and(|q| q < level)
    }

    /// The figure of all calls of each side, in nanoseconds.
    #[must_use]
    pub fn figure(&self, figure: Figure) -> [Option<u64>; 2] {
        self.sides.each_ref().map(|side| side.as_ref().and_then(|times| figure.of(times)))
    }

    /// The change of a figure from run to run; `None` unless enough runs have it.
    pub(super) fn growth(&self, figure: Figure, has_pairs: bool, least: usize) -> Option<Growth> {
        /// Buckets are 1/32 wide: about this deviation, if times lie evenly in them.
        const OF_BUCKETS: f64 = 0.01;
        let kept = kept(&self.runs, has_pairs);
        let [base, new] = kept.map(|runs| {
            let logarithm = |times: &Times| Some((figure.of(times)?.max(1) as f64).ln());
            runs.into_iter().map(logarithm).collect::<Option<Vec<f64>>>()
        });
        let (base, new) = (base?, new?);
        if base.len() < least || new.len() < least {
            return None;
        }
        let df = degrees_of_freedom(has_pairs, [base.len(), new.len()]);
        let delta = mean(&new) - mean(&base);
        let (sum, runs) = if has_pairs {
            let changes: Vec<f64> = base.iter().zip(&new).map(|(base, new)| new - base).collect();
            (squares(&changes), (base.len() as f64).recip())
        } else {
            let runs = (base.len() as f64).recip() + (new.len() as f64).recip();
            (squares(&base) + squares(&new), runs)
        };
        let least = if figure.is_of_buckets() { OF_BUCKETS.powi(2) } else { 0.0 };
        let error = ((sum / df).max(least) * runs).sqrt();
        let p = match (error > 0.0, delta == 0.0) {
            (true, _) => tails_of_t(delta / error, df),
            (false, true) => 1.0,
            (false, false) => 0.0,
        };
        let margin = quantile_of_t(0.05, df) * error;
        let before = mean(&base).exp();
        Some(Growth {
            sides_ns: [before, mean(&new).exp()],
            interval_ns: [delta - margin, delta + margin].map(|delta| before * delta.exp_m1()),
            p,
        })
    }
}

/// The runs that have timed calls; of pairs those in which both have.
fn kept(runs: &[Vec<Times>; 2], has_pairs: bool) -> [Vec<&Times>; 2] {
    let has = |side: usize, run: usize| runs[side][run].timed > 0;
    [0, 1].map(|side| {
        let is_kept = |run: &usize| has(side, *run) && (!has_pairs || has(1 - side, *run));
        (0..runs[side].len()).filter(is_kept).map(|run| &runs[side][run]).collect()
    })
}

/// The histogram of runs of which each counts as much as another; empty if one has none.
fn mixture(runs: &[&Times]) -> Shares {
    if runs.iter().any(|times| times.is_full || times.calls() == 0) {
        return Shares::new();
    }
    let mut sum = BTreeMap::<u16, f64>::new();
    for times in runs {
        let whole = times.calls() as f64 * runs.len() as f64;
        for (bucket, calls) in &times.buckets {
            *sum.entry(*bucket).or_default() += *calls as f64 / whole;
        }
    }
    sum.into_iter().collect()
}

/// Figures of runs that are compared: the place of their calls among all calls, the mean, and the tail.
fn figures(kept: &[Vec<&Times>; 2]) -> Vec<[Vec<f64>; 2]> {
    let all: Vec<&Times> = kept.iter().flatten().copied().collect();
    let all = mixture(&all);
    let of_runs = |of: &dyn Fn(&Times) -> f64| {
        kept.each_ref().map(|runs| runs.iter().map(|times| of(times)).collect())
    };
    let logarithm =
        |figure: Figure, times: &Times| (figure.of(times).unwrap_or(1).max(1) as f64).ln();
    vec![
        of_runs(&|times| longer(&all, &mixture(&[times]))),
        of_runs(&|times| logarithm(Figure::Mean, times)),
        of_runs(&|times| logarithm(Figure::P99, times)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use gmon_format::live::Timing;

    /// Times of so many calls each.
    fn times(calls: &[(u64, u64)]) -> Times {
        let mut times = Times { every: 1, ..Times::default() };
        for (ns, number) in calls {
            times.timed += number;
            times.total_ns += ns * number;
            times.longest_ns = times.longest_ns.max(*ns);
            *times.buckets.entry(Timing::bucket_of(*ns) as u16).or_default() += number;
        }
        times
    }

    /// Runs whose calls take about a microsecond; of a hundred of each one takes so long.
    fn runs(slow: u64) -> Vec<Times> {
        let run = |run: u64| times(&[(1000 + 40 * (run * 3 % 5), 985), (slow + 100 * run, 15)]);
        (0..6).map(run).collect()
    }

    #[test]
    fn a_longer_tail_is_found_where_the_median_stays() {
        for has_pairs in [false, true] {
            let found = CallTimes::new(0, [runs(4_000), runs(40_000)], has_pairs);
            let least = if has_pairs { 2.0 / 64.0 } else { 2.0 / 924.0 };
            assert_eq!(found.p, Some(least));
            assert!((found.longer.unwrap() - 0.5).abs() < 0.02, "{:?}", found.longer);
            let same = CallTimes::new(0, [runs(4_000), runs(4_000)], has_pairs);
            assert!(same.p.unwrap() > 0.9, "{:?}", same.p);

            let growth = found.growth(Figure::P99, has_pairs, 5).unwrap();
            assert!(growth.p < 1e-6 && growth.interval_ns[0] > 30_000.0, "{growth:?}");
            let median = found.growth(Figure::P50, has_pairs, 5).unwrap();
            assert!(median.p > 0.5 && median.interval_ns[0] < 0.0, "{median:?}");
            assert_eq!(found.growth(Figure::P99, has_pairs, 7), None);
        }
    }

    #[test]
    fn one_run_of_each_side_shows_calls_only() {
        let found =
            CallTimes::new(0, [vec![runs(4_000)[0].clone()], vec![runs(4_000)[1].clone()]], false);
        assert!(found.p.unwrap() < 1e-9 && found.is_of_calls);
        let found = CallTimes { q: found.p, ..found };
        assert!(!found.differ(0.05));
    }

    #[test]
    fn what_a_side_has_not_timed_is_not_tested() {
        let found = CallTimes::new(0, [runs(4_000), vec![Times::default(); 6]], false);
        assert_eq!((found.p, found.longer, found.sides[1].is_none()), (None, None, true));
        assert_eq!(found.growth(Figure::Mean, false, 5), None);
        // A run without calls is left out, and in pairs its partner, too.
        let mut new = runs(40_000);
        new[2] = Times::default();
        let found = CallTimes::new(0, [runs(4_000), new], true);
        assert_eq!(found.p, Some(2.0 / 32.0));
        // Nor what no histogram could hold.
        let mut full = runs(4_000);
        full[1].is_full = true;
        let found = CallTimes::new(0, [runs(4_000), full], false);
        assert_eq!(found.p, None);
        assert!(found.growth(Figure::Longest, false, 5).is_some());
        assert_eq!(found.growth(Figure::P50, false, 5), None);
    }
}
