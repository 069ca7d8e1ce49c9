//! Tests whether two numbers of samples differ by more than chance, and how small a difference could have been
//! seen.

use super::beta::incomplete_beta;

/// The 97.5 % quantile of the normal distribution: 95 of 100 lie within.
pub(super) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The 80 % quantile of the normal distribution.
const NORMAL_80: f64 = 0.841_621_233_572_914_4;

/// Probability that chance alone makes a difference as large as that of `base` and `new` samples, two-sided and
/// exact: of all samples, those on the new side are binomial, with the probability `share` if nothing changed.
#[must_use]
pub fn exact_p(base: u64, new: u64, share: f64) -> f64 {
    let (base, new) = (base as f64, new as f64);
    let at_most = if base == 0.0 { 1.0 } else { incomplete_beta(base, new + 1.0, 1.0 - share) };
    let at_least = if new == 0.0 { 1.0 } else { incomplete_beta(new, base + 1.0, share) };
    (2.0 * at_most.min(at_least)).min(1.0)
}

/// Probability that Student's t with `df` degrees of freedom is farther from 0 than `t`.
pub(super) fn tails_of_t(t: f64, df: f64) -> f64 {
    incomplete_beta(df / 2.0, 0.5, df / (df + t * t))
}

/// The t beyond which `tails` of Student's distribution lie, on both sides together.
#[must_use]
pub fn quantile_of_t(tails: f64, df: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while tails_of_t(high, df) > tails && high < 1e12 {
        high *= 2.0;
    }
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if tails_of_t(middle, df) > tails {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// Standard errors that 99 of 100 chance differences lie within.
pub(super) fn margin_99(df: f64) -> f64 {
    quantile(df, 0.01)
}

/// The quantile of Student's distribution. The spread of one run is not estimated, so that of the normal distribution
/// stands for it.
fn quantile(df: f64, tails: f64) -> f64 {
    /// With so many degrees of freedom it is the normal distribution to five digits.
    const NORMAL: f64 = 1e6;
    quantile_of_t(tails, if df < 1.0 { NORMAL } else { df })
}

/// The variance of samples between runs of a side, as a factor of that of independent samples. Below 1 chance, or a
/// timer in step with the program, has made runs too much alike. `None` for single runs.
pub(super) fn relative_variance(base: &[f64], new: &[f64]) -> Option<f64> {
    let df = (base.len() + new.len()) as f64 - 2.0;
    let relative = |runs: &[f64]| {
        let mean = mean(runs);
        if mean > 0.0 { squares(runs) / mean } else { 0.0 }
    };
    (df >= 1.0).then(|| (relative(base) + relative(new)) / df)
}

/// The mean; 0 of nothing.
pub(super) fn mean(runs: &[f64]) -> f64 {
    runs.iter().sum::<f64>() / (runs.len().max(1)) as f64
}

/// The sum of the squares of the distances from the mean.
pub(super) fn squares(runs: &[f64]) -> f64 {
    let mean = mean(runs);
    runs.iter().map(|x| (x - mean).powi(2)).sum()
}

/// Standard errors that a difference needs for one test at this level to show it in four of five cases.
pub(super) fn errors_to_show(df: f64, level: f64) -> f64 {
    quantile(df, level) + NORMAL_80
}

/// The standard error of a difference, as a part of the mean of both sides, of what has so many samples in a run.
/// `dispersion` is their variance as a factor of that of independent ones. `None` without samples.
pub(super) fn relative_error(
    samples_in_run: f64,
    runs: [usize; 2],
    dispersion: f64,
) -> Option<f64> {
    let [base, new] = runs.map(|runs| runs as f64);
    let error = (dispersion * (base.recip() + new.recip()) / samples_in_run).sqrt();
    Some(error).filter(|error| error.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value is as exact as the digits of another.
    #[track_caller]
    fn assert_digits(value: f64, expected: &str) {
        let number: f64 = expected.parse().unwrap();
        let (mantissa, _) = expected.split_once('e').unwrap_or((expected, ""));
        let digits = mantissa.trim_start_matches(['0', '.']).replace('.', "").len() as i32;
        let unit = 10_f64.powi(number.log10().floor() as i32 + 1 - digits);
        assert!((value - number).abs() <= 0.51 * unit, "{value} for {expected}");
    }

    /// Values of SciPy 1.17.1 (`scipy.stats.binom`).
    #[test]
    fn counts_are_compared_exactly() {
        for (base, new, share, p) in [
            (150, 205, 0.5, "0.004092845174"),
            (110, 96, 0.5, "0.3651027859"),
            (40, 22, 0.5, "0.03001586435"),
            (0, 9, 0.5, "0.00390625"),
            (3, 1, 0.5, "0.625"),
            // 3 runs against 5.
            (300, 610, 5.0 / 8.0, "0.004924556843"),
        ] {
            assert_digits(exact_p(base, new, share), p);
        }
        assert_eq!(exact_p(0, 0, 0.5), 1.0);
        assert_eq!(exact_p(7, 7, 0.5), 1.0);
        // Many samples, far apart and not.
        assert!(exact_p(1_000_000, 1_010_000, 0.5) < 1e-11);
        assert!((exact_p(1_000_000, 1_000_000, 0.5) - 1.0).abs() < 1e-9);
    }

    /// Values of SciPy 1.17.1 (`scipy.stats.t`).
    #[test]
    fn tails_of_student() {
        for (t, df, p) in [
            (2.0, 8.0, "0.0805162379573"),
            (4.5, 8.0, "0.00200209227552"),
            (1.5, 4.0, "0.208"),
            (6.0, 18.0, "1.1269971106e-05"),
        ] {
            assert_digits(tails_of_t(t, df), p);
            assert!((quantile_of_t(tails_of_t(t, df), df) - t).abs() < 1e-9);
        }
        assert_digits(quantile_of_t(0.05, 8.0), "2.306004135");
    }

    #[test]
    fn the_smallest_visible_change_of_one_run() {
        for (samples, percent) in
            [(25.0, 79.0), (100.0, 40.0), (400.0, 20.0), (1600.0, 10.0), (10_000.0, 4.0)]
        {
            let error = relative_error(samples, [1, 1], 1.0).unwrap();
            let part = errors_to_show(0.0, 0.05) * error;
            assert_eq!((100.0 * part).round(), percent);
        }
        assert_eq!(relative_error(0.0, [1, 1], 1.0), None);
    }
}
