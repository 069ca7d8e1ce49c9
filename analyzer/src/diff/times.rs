//! Samples of something before and after, and what is known of the difference.

use super::design::degrees_of_freedom;
use super::statistics::{
    NORMAL_95, exact_p, mean, quantile_of_t, relative_variance, squares, tails_of_t,
};

/// Meaning of the samples of both sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale<'a> {
    /// The time of a sample on each side, in nanoseconds.
    pub(super) period_ns: [f64; 2],
    /// Number of samples that count as one look at the program, because signals came late; at least
    /// 1.
    pub(super) weight: f64,
    /// Each run of the base is compared with that of the new side with its number.
    pub(super) has_pairs: bool,
    /// For each run of both sides the factor of its times; none where that is 1.
    pub(super) factors: [&'a [f64]; 2],
}

impl Scale<'_> {
    /// Samples of the runs of a side, as many as they would be if all runs were as fast.
    fn scaled(&self, side: usize, samples: &[u64]) -> Vec<f64> {
        let factors = self.factors[side].iter().copied().chain(std::iter::repeat(1.0));
        samples.iter().zip(factors).map(|(samples, factor)| *samples as f64 * factor).collect()
    }
}

/// The samples of something in all runs, and the difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// Samples in each run of the base.
    pub base: Vec<u64>,
    /// Samples in each run of the new side.
    pub new: Vec<u64>,
    /// The time in one run of each side, in nanoseconds.
    pub per_run_ns: [f64; 2],
    /// Nanoseconds that one run takes longer.
    pub delta_ns: f64,
    /// Between which differences the true one lies, in 95 of 100 cases.
    pub interval_ns: [f64; 2],
    /// Excess of the runs' variance over that of samples alone, as a factor.
    pub dispersion: f64,
    /// Variance between runs as a factor of that of independent samples, which can be below 1; `None` for single runs.
    pub(super) between_runs: Option<f64>,
    /// Standard error of the difference, in nanoseconds.
    pub(super) error_ns: f64,
    /// Probability that chance alone makes a difference as large; `None` if that was not tested, for want of
    /// samples.
    pub p: Option<f64>,
    /// `p`, corrected for the number of tests by Benjamini and Hochberg.
    pub q: Option<f64>,
    /// `p`, corrected by Holm, which is stricter.
    pub holm: Option<f64>,
}

/// Result of comparing times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Longer times.
    Slower,
    /// Shorter times.
    Faster,
    /// No difference was shown.
    NotShown,
    /// There are too few samples to test.
    Untested,
}

impl Times {
    pub(super) fn new(base: Vec<u64>, new: Vec<u64>, scale: Scale<'_>) -> Self {
        let [runs_a, runs_b] = [&base, &new].map(|runs| runs.len() as f64);
        let [period_a, period_b] = scale.period_ns;
        let scaled = [scale.scaled(0, &base), scale.scaled(1, &new)];
        let per_run_ns = [mean(&scaled[0]) * period_a, mean(&scaled[1]) * period_b];
        let delta_ns = per_run_ns[1] - per_run_ns[0];
        let variance = per_run_ns[0] * period_a / runs_a + per_run_ns[1] * period_b / runs_b;
        let is_there = variance > 0.0;
        let df = degrees_of_freedom(scale.has_pairs, [base.len(), new.len()]);
        let between_runs = if scale.has_pairs {
            let pairs = scaled[0].iter().zip(&scaled[1]);
            let changes: Vec<f64> = pairs.map(|(a, b)| b * period_b - a * period_a).collect();
            Some(if is_there { squares(&changes) / df / runs_a / variance } else { 0.0 })
        } else {
            relative_variance(&scaled[0], &scaled[1])
        };
        let (p, error_ns, dispersion, quantile) = match between_runs {
            None => {
                let looks = |runs: &[u64]| (runs.iter().sum::<u64>() as f64 / scale.weight) as u64;
                let factor = |side: usize| scale.factors[side].first().copied().unwrap_or(1.0);
                let [of_a, of_b] = [runs_a / period_a / factor(0), runs_b / period_b / factor(1)];
                let p = exact_p(looks(&base), looks(&new), of_b / (of_a + of_b));
                (p, (scale.weight * variance).sqrt(), scale.weight, NORMAL_95)
            }
            // Chance may make runs more alike than samples are, but nothing else does.
            Some(between_runs) => {
                let dispersion = between_runs.max(1.0);
                let error = (dispersion * variance).sqrt();
                let t = if is_there { delta_ns / error } else { 0.0 };
                (tails_of_t(t, df), error, dispersion, quantile_of_t(0.05, df))
            }
        };
        let margin = quantile * error_ns;
        Self {
            base,
            new,
            per_run_ns,
            delta_ns,
            interval_ns: [delta_ns - margin, delta_ns + margin],
            dispersion,
            between_runs,
            error_ns,
            p: is_there.then_some(p),
            q: None,
            holm: None,
        }
    }

    /// All samples of both sides.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.base.iter().chain(&self.new).fold(0, |sum, samples| sum.saturating_add(*samples))
    }

    /// The new time as a multiple of the base's; `None` if that has none.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        (self.per_run_ns[0] > 0.0).then(|| self.per_run_ns[1] / self.per_run_ns[0])
    }

    /// Result of the comparison, if one of `level` of those shown may be wrong.
    #[must_use]
    pub fn change(&self, level: f64) -> Change {
        match self.q {
            None => Change::Untested,
            Some(q) if q >= level => Change::NotShown,
            Some(_) if self.delta_ns > 0.0 => Change::Slower,
            Some(_) => Change::Faster,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hundred samples a second.
    const SCALE: Scale<'_> =
        Scale { period_ns: [1e7, 1e7], weight: 1.0, has_pairs: false, factors: [&[]; 2] };

    fn seconds(times: &Times) -> [String; 3] {
        let [low, high] = times.interval_ns;
        [times.delta_ns, low, high].map(|ns| format!("{:+.2}", ns / 1e9))
    }

    #[test]
    fn one_run_of_each_side() {
        for (base, new, shown, p) in [
            (150, 205, ["+0.55", "+0.18", "+0.92"], 0.0041),
            (40, 22, ["-0.18", "-0.33", "-0.03"], 0.030),
            (110, 96, ["-0.14", "-0.42", "+0.14"], 0.365),
        ] {
            let times = Times::new(vec![base], vec![new], SCALE);
            assert_eq!(seconds(&times), shown);
            assert!((times.p.unwrap() - p).abs() < 0.02 * p, "{times:?}");
        }
        let total = Times::new(vec![580], vec![610], SCALE);
        assert!((total.p.unwrap() - 0.40).abs() < 0.005 && total.per_run_ns == [5.8e9, 6.1e9]);
        assert_eq!(Times::new(vec![0], vec![0], SCALE).p, None);
    }

    #[test]
    fn nothing_in_any_run() {
        let times = Times::new(vec![0; 3], vec![0; 3], SCALE);
        assert_eq!((times.p, times.delta_ns, times.interval_ns), (None, 0.0, [0.0; 2]));
    }

    #[test]
    fn runs_that_hardly_differ() {
        let base = vec![100, 104, 98, 110, 95];
        let times = Times::new(base, vec![118, 125, 109, 121, 130], SCALE);
        let [low, high] = times.interval_ns;
        assert_eq!(times.dispersion, 1.0);
        let shown = (times.delta_ns / 1e9, (high - low) / 2e9, times.p.unwrap());
        assert_eq!(
            (format!("{:.3} ± {:.3}", shown.0, shown.1), format!("{:.4}", shown.2)),
            ("0.192 ± 0.154".to_owned(), "0.0205".to_owned())
        );
    }

    #[test]
    fn runs_that_differ_among_themselves() {
        let (base, new) = (vec![100, 150, 60, 120, 70], vec![130, 90, 170, 110, 150]);
        let times = Times::new(base, new, SCALE);
        assert_eq!(format!("{:.1}", times.dispersion), "10.6");
        assert_eq!(format!("{:.3}", times.p.unwrap()), "0.211");
        // As one run each they would seem different beyond doubt.
        let together = Times::new(vec![500], vec![650], SCALE);
        assert_eq!(format!("{:.5}", together.p.unwrap()), "0.00001");
    }

    #[test]
    fn samples_of_other_rates_are_compared_as_times() {
        let scale = Scale { period_ns: [1e7, 1e6], ..SCALE };
        let times = Times::new(vec![100], vec![1000], scale);
        assert!(times.delta_ns == 0.0 && times.p.unwrap() > 0.9, "{times:?}");
        let several = Times::new(vec![100, 100], vec![1000, 1000], scale);
        assert!(several.delta_ns == 0.0 && several.p.unwrap() > 0.99, "{several:?}");
    }

    /// SciPy 1.17.1: `ttest_rel`, where runs differ by more than their samples do.
    #[test]
    fn runs_that_took_turns_are_compared_in_pairs() {
        let (base, new) = (vec![100, 150, 60, 120, 70], vec![115, 172, 70, 139, 82]);
        let unpaired = Times::new(base.clone(), new.clone(), SCALE);
        assert!(unpaired.p.unwrap() > 0.5, "{unpaired:?}");
        let paired = Times::new(base, new, Scale { has_pairs: true, ..SCALE });
        assert_eq!(paired.delta_ns, unpaired.delta_ns);
        // The differences are more alike than samples are: their spread is that of independent samples.
        assert_eq!((paired.dispersion, paired.between_runs.unwrap() < 0.2), (1.0, true));
        let (base, new) = (vec![1000, 1500, 600, 1200, 700], vec![1300, 1500, 800, 1700, 650]);
        let paired = Times::new(base, new, Scale { has_pairs: true, ..SCALE });
        assert_eq!(
            format!("{:.4} {:.4}", paired.p.unwrap(), paired.error_ns / 1e9),
            "0.1317 1.0050"
        );
    }

    #[test]
    fn parts_of_the_total_do_not_depend_on_the_machine() {
        // The second run of the base was twice as fast.
        let factors: [&[f64]; 2] = [&[1.0, 2.0], &[1.0, 1.0]];
        let scale = Scale { factors, ..SCALE };
        let times = Times::new(vec![400, 200], vec![400, 400], scale);
        assert_eq!((times.delta_ns, times.p), (0.0, Some(1.0)));
        let single = Scale { factors: [&[2.0], &[1.0]], ..SCALE };
        let times = Times::new(vec![200], vec![400], single);
        assert!(times.delta_ns == 0.0 && times.p.unwrap() > 0.9, "{times:?}");
    }

    #[test]
    fn signals_of_several_samples_say_less() {
        let heavy = Scale { weight: 10.0, ..SCALE };
        let (one, ten) =
            (Times::new(vec![150], vec![205], SCALE), Times::new(vec![1500], vec![2050], heavy));
        assert_eq!(one.p, ten.p);
        let width = |times: &Times| times.interval_ns[1] - times.interval_ns[0];
        assert!((width(&ten) / width(&one) - 10.0).abs() < 1e-9);
    }
}
