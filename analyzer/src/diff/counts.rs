//! Numbers of calls, before and after.

use super::correction::false_discovery;

/// The counts of all runs of both sides; none of a side that did not count.
#[derive(Clone, Debug, PartialEq)]
pub struct Counts {
    /// Counts of the base.
    pub base: Vec<u64>,
    /// Counts of the new side.
    pub new: Vec<u64>,
    /// The probability by which they are shown to differ, corrected for all counts that vary as the times are;
    /// `None` for steady sides, of which nothing needs to be tested.
    pub q: Option<f64>,
}

impl Counts {
    /// The counts of the runs of both sides, by themselves.
    pub(super) fn new(base: Vec<u64>, new: Vec<u64>) -> Self {
        Self { base, new, q: None }
    }

    /// Returns `true` if both sides counted.
    #[must_use]
    pub fn are_known(&self) -> bool {
        !self.base.is_empty() && !self.new.is_empty()
    }

    /// Returns `true` if all runs of a side agree, on both sides.
    #[must_use]
    pub fn is_steady(&self) -> bool {
        is_steady(&self.base) && is_steady(&self.new)
    }

    /// The counts in one run of each side, on average.
    #[must_use]
    pub fn per_run(&self) -> [f64; 2] {
        [&self.base, &self.new].map(|runs| {
            if is_steady(runs) {
                return runs.first().copied().unwrap_or(0) as f64;
            }
            runs.iter().map(|count| *count as f64).sum::<f64>() / runs.len() as f64
        })
    }

    /// Exact excess of the new side in one run; `None` unless both sides counted and are steady.
    #[must_use]
    pub fn difference(&self) -> Option<i128> {
        let first = |runs: &[u64]| i128::from(runs.first().copied().unwrap_or(0));
        (self.are_known() && self.is_steady()).then(|| first(&self.new) - first(&self.base))
    }

    /// Returns `true` if the sides differ. Where runs of a side differ among themselves, the sides do only if
    /// their ranges have nothing in common, and at most a part `level` of all such differences is by chance.
    #[must_use]
    pub fn differ(&self, level: f64) -> bool {
        match self.difference() {
            Some(difference) => difference != 0,
            None => self.q.is_some_and(|q| q < level),
        }
    }

    /// Probability to correct for the number of tests: ranges that overlap are tests, too, which show nothing.
    pub(super) fn tested_p(&self) -> Option<f64> {
        (self.are_known() && !self.is_steady()).then(|| self.p().unwrap_or(1.0))
    }

    /// Probability that chance alone separates the ranges of two sides that vary, by the test of Mann and Whitney;
    /// `None` for steady sides, of which nothing needs to be tested, and for ranges that overlap.
    #[must_use]
    pub fn p(&self) -> Option<f64> {
        let ([low_a, high_a], [low_b, high_b]) = (range(&self.base), range(&self.new));
        let is_apart = high_a < low_b || high_b < low_a;
        (self.are_known() && !self.is_steady() && is_apart)
            .then(|| least_p(self.base.len(), self.new.len()))
    }

    /// The least and the largest count of each side.
    #[must_use]
    pub fn ranges(&self) -> [[u64; 2]; 2] {
        [range(&self.base), range(&self.new)]
    }
}

/// The smallest probability that so many runs of two sides can have: that of ranges which do not overlap, 2 of
/// all ways to choose one side's runs among all.
#[must_use]
pub fn least_p(base: usize, new: usize) -> f64 {
    let ways = (0..base)
        .fold(1.0, |ways, chosen| ways * (base + new - chosen) as f64 / (base - chosen) as f64);
    (2.0 / ways).min(1.0)
}

/// Runs of each side that are enough for one of so many counts that vary to be shown to differ at a level.
pub(super) fn enough_runs(varying: usize, level: f64) -> usize {
    let suffices = |runs: &usize| least_p(*runs, *runs) * (varying as f64) < level;
    // The probability is at most halved by each run, and a float has no more than 1,100 halves.
    (2..1100).find(suffices).unwrap_or(usize::MAX)
}

/// Corrects the probabilities of all counts that vary for their number.
pub(super) fn correct<'c>(counts: impl Iterator<Item = &'c mut Counts>) {
    let (varying, p): (Vec<_>, Vec<f64>) =
        counts.filter_map(|it| it.tested_p().map(|p| (it, p))).unzip();
    for (counts, q) in varying.into_iter().zip(false_discovery(&p)) {
        counts.q = Some(q);
    }
}

fn is_steady(runs: &[u64]) -> bool {
    runs.windows(2).all(|pair| pair[0] == pair[1])
}

fn range(runs: &[u64]) -> [u64; 2] {
    let low = runs.iter().min().copied().unwrap_or(0);
    [low, runs.iter().max().copied().unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(base: &[u64], new: &[u64]) -> Counts {
        let mut counts = Counts::new(base.to_vec(), new.to_vec());
        correct(std::iter::once(&mut counts));
        counts
    }

    #[test]
    fn steady_counts_are_facts() {
        let one = counts(&[u64::MAX - 1], &[u64::MAX]);
        assert_eq!((one.difference(), one.differ(0.0)), (Some(1), true));
        let several = counts(&[5, 5, 5], &[4, 4]);
        assert_eq!(
            (several.difference(), several.p(), several.differ(0.0)),
            (Some(-1), None, true)
        );
        assert!(!counts(&[5, 5], &[5]).differ(1.0));
    }

    #[test]
    fn counts_that_vary_need_enough_runs() {
        for (runs, p) in [(3, 0.1), (4, 0.029), (5, 0.0079), (6, 0.0022)] {
            assert!((least_p(runs, runs) - p).abs() < 0.05 * p, "{runs}");
        }
        assert_eq!(least_p(1, 1), 1.0);
        let few = counts(&[1, 2, 3], &[7, 8, 9]);
        assert!(!few.differ(0.01) && few.difference().is_none());
        let enough = counts(&[1, 2, 3, 2, 1], &[7, 8, 9, 7, 7]);
        assert!(enough.differ(0.01) && !enough.differ(0.005));
        let overlapping = counts(&[1, 2, 3, 2, 1], &[3, 8, 9, 7, 7]);
        assert_eq!((overlapping.p(), overlapping.differ(0.5)), (None, false));
        assert_eq!(enough.ranges(), [[1, 3], [7, 9]]);
    }

    #[test]
    fn many_counts_that_vary_need_more_than_one_does() {
        let apart = || Counts::new(vec![1, 2, 3, 4, 5, 6], vec![7, 8, 9, 10, 11, 12]);
        let overlapping = || Counts::new(vec![1, 2, 3, 4, 5, 6], vec![1, 2, 3, 4, 5, 7]);
        let steady = Counts::new(vec![1; 6], vec![2; 6]);
        let mut noise: Vec<Counts> = (0..99).map(|_| overlapping()).collect();
        noise.extend([apart(), steady]);
        correct(noise.iter_mut());
        let [.., one, fact] = noise.as_slice() else { unreachable!() };
        assert!(one.p().is_some_and(|p| p < 0.01) && !one.differ(0.05), "{one:?}");
        assert_eq!((fact.q, fact.differ(0.0)), (None, true));
        // All of them cannot be chance.
        let mut all: Vec<Counts> = (0..99).map(|_| apart()).collect();
        correct(all.iter_mut());
        assert!(all.iter().all(|it| it.differ(0.01)));
        assert_eq!([1, 4, 5, 200].map(|varying| enough_runs(varying, 0.01)), [5, 6, 7, 9]);
    }
}
