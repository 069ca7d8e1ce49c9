//! The smallest change that a comparison would have shown, of something with a given share of the
//! time.
//!
//! Two things limit that besides the number of samples. Runs differ by a part of the time, so what has much of it
//! varies by more than its samples do. And many functions are tested at once: one that alone has changed is shown
//! only below the level that is left for each of them.

use super::statistics::{errors_to_show, relative_error};
use super::times::Times;

/// The largest change that is computed: a hundredfold needs no statistics.
const MOST: f64 = 100.0;

/// Factors that decide how small a change is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sensitivity {
    /// The runs of each side.
    pub(super) runs: [usize; 2],
    /// Degrees of freedom of their spread.
    pub(super) df: f64,
    /// The probability below which a change is shown, of one that alone has changed.
    pub(super) level: f64,
    /// The variance of samples, as a factor of that of independent ones.
    pub(super) of_samples: f64,
    /// The variance of a function's time between runs, as a part of the square of its mean.
    pub(super) of_runs: f64,
}

impl Sensitivity {
    /// Sensitivity of comparing all of these at once, when one alone is wrong as often as `level` says. `of_samples`
    /// is the variance of their samples.
    pub(super) fn of_many(
        tested: &[&Times],
        (runs, df): ([usize; 2], f64),
        level: f64,
        of_samples: f64,
    ) -> Self {
        let level = level / tested.len().max(1) as f64;
        Self { runs, df, level, of_samples, of_runs: variance_between_runs(tested, of_samples) }
    }

    /// The smallest growth, as a part of all, that is shown in four of five cases, of what has so many samples in a
    /// run. What grows varies by more, too. `None` without samples.
    pub(super) fn smallest_growth(&self, samples_in_run: f64) -> Option<f64> {
        let [base, new] = self.runs.map(|runs| runs as f64);
        let errors = errors_to_show(self.df, self.level);
        let mut growth = 0.0;
        // Each step starts from the variance that the last one's growth leads to.
        for _ in 0..100 {
            let of_runs = self.of_runs * samples_in_run * (1.0 + growth / 2.0);
            let of_new = (base.recip() + (1.0 + growth) / new) / (base.recip() + new.recip());
            let variance = (self.of_samples + of_runs) * of_new;
            growth = (errors * relative_error(samples_in_run, self.runs, variance)?).min(MOST);
        }
        Some(growth)
    }
}

/// Fits the variance between runs to all functions: that of function i is `of_samples + between runs · samples of i`,
/// as a factor of independent samples' variance. Each counts by how well its variance is known, which is the less,
/// the larger that is.
fn variance_between_runs(tested: &[&Times], of_samples: f64) -> f64 {
    let known: Vec<(f64, f64)> = tested.iter().filter_map(|times| observed(times)).collect();
    let mut fitted = 0.0;
    for _ in 0..20 {
        let (mut product, mut square) = (0.0, 0.0);
        for (samples, variance) in &known {
            let weight = (of_samples + fitted * samples).powi(-2);
            product += weight * samples * (variance - of_samples);
            square += weight * samples * samples;
        }
        fitted = if square > 0.0 { (product / square).max(0.0) } else { 0.0 };
    }
    fitted
}

/// The samples of a run, and their variance as a factor of that of independent ones; `None` if single runs do not tell.
fn observed(times: &Times) -> Option<(f64, f64)> {
    let runs = times.base.len() + times.new.len();
    Some((times.samples() as f64 / runs as f64, times.between_runs?))
}

#[cfg(test)]
mod tests {
    use super::super::correction::correct;
    use super::super::times::{Change, Scale};
    use super::*;

    const SCALE: Scale<'_> =
        Scale { period_ns: [1e6, 1e6], weight: 1.0, has_pairs: false, factors: [&[]; 2] };

    /// A program of which one function may change, and how its runs vary.
    struct Series {
        /// Of each side.
        runs: usize,
        /// Samples of the function in a run, and of all ten others.
        samples: [f64; 2],
        /// Variation of each function's time between runs, as a part of it.
        spread: f64,
        /// True if whole runs are slower or faster instead, as if the machine were.
        is_common: bool,
    }

    /// A number of the standard normal distribution.
    fn normal(random: &mut fastrand::Rng) -> f64 {
        let (radius, angle) = ((1.0 - random.f64()).ln(), random.f64());
        (-2.0 * radius).sqrt() * (std::f64::consts::TAU * angle).cos()
    }

    impl Series {
        /// Runs both sides; the first function takes `factor` times as long in the new one.
        fn take(&self, random: &mut fastrand::Rng, factor: f64) -> Vec<Times> {
            let [base, new] = [1.0, factor].map(|factor| {
                let mut runs = vec![Vec::new(); 11];
                for _ in 0..self.runs {
                    let common = normal(random);
                    for (number, samples) in runs.iter_mut().enumerate() {
                        // The others differ in size, as functions do.
                        let mean = match number {
                            0 => factor * self.samples[0],
                            _ => self.samples[1] * number as f64 / 55.0,
                        };
                        let slower = if self.is_common { common } else { normal(random) };
                        let mean = (mean * (1.0 + self.spread * slower)).max(0.0);
                        let taken = mean + mean.sqrt() * normal(random);
                        samples.push(taken.round().max(0.0) as u64);
                    }
                }
                runs
            });
            let sides = base.into_iter().zip(new);
            let mut all: Vec<Times> =
                sides.map(|(base, new)| Times::new(base, new, SCALE)).collect();
            correct(all.iter_mut(), 1.0);
            all
        }

        fn sensitivity(&self, all: &[Times]) -> f64 {
            let tested: Vec<&Times> = all.iter().collect();
            let runs = [self.runs; 2];
            let of_many =
                Sensitivity::of_many(&tested, (runs, 2.0 * self.runs as f64 - 2.0), 0.05, 1.0);
            of_many.smallest_growth(self.samples[0]).unwrap()
        }
    }

    /// `could have seen` tells the truth: of simulated series, four of five show the change that it names, and few
    /// show one where there is none.
    #[test]
    fn changes_are_shown_as_often_as_announced() {
        const TRIALS: u32 = 200;
        let mut random = fastrand::Rng::with_seed(15);
        for (runs, samples, spread, is_common, percent) in [
            (10, [58.0, 232.0], 0.0, false, 27.0),
            (10, [110.0, 440.0], 0.03, false, 20.0),
            (20, [110.0, 440.0], 0.03, true, 13.0),
            (5, [110.0, 440.0], 0.0, false, 33.0),
            (10, [460.0, 224.0], 0.0, false, 9.0),
            (10, [460.0, 224.0], 0.05, true, 13.0),
            (20, [890.0, 430.0], 0.05, false, 8.0),
            (10, [300.0, 2700.0], 0.2, false, 46.0),
        ] {
            let series = Series { runs, samples, spread, is_common };
            let announced: Vec<f64> = (0..TRIALS / 4)
                .map(|_| series.sensitivity(&series.take(&mut random, 1.0)))
                .collect();
            let announced = announced.iter().sum::<f64>() / announced.len() as f64;
            let mut shown = |factor: f64, change: fn(&[Times]) -> bool| {
                let found = (0..TRIALS).filter(|_| change(&series.take(&mut random, factor)));
                found.count() * 100 / TRIALS as usize
            };
            let changed = shown(1.0 + announced, |all| all[0].change(0.05) == Change::Slower);
            let wrong = shown(1.0, |all| all.iter().any(|it| it.change(0.05) != Change::NotShown));
            let case = format!("{runs} runs of {samples:?} samples that differ by {spread}");
            assert!((100.0 * announced - percent).abs() < 0.15 * percent, "{case}: {announced}");
            assert!((72..=88).contains(&changed), "{case}: {changed} %");
            assert!(wrong <= 6, "{case}: {wrong} %");
        }
    }
}
