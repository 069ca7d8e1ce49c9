//! Errors of measured shares.
//!
//! Each signal is one look at the program. A signal can stand for several ticks, so the number of ticks
//! says nothing about how exact a share is; the number of signals does. Where they stand for different
//! numbers of ticks, they are worth as many equal ones as `(Σw)² / Σw²`.

use crate::records::Looks;

/// The share of all time that some function has, with its error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interval {
    /// The least and the most that is likely, in ticks: in 95 of 100 runs the truth lies between.
    pub low: f64,
    /// The most.
    pub high: f64,
}

/// Precision of the shares of some samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Precision {
    /// All ticks.
    ticks: f64,
    /// As many equal signals these samples are worth.
    signals: f64,
}

/// Standard deviations on either side that hold 95 % of a normal distribution.
const Z: f64 = 1.959_964;

/// With fewer signals than this, a figure is no more than a bound.
const FEW: u64 = 5;

impl Precision {
    /// Precision of samples in functions. Of all samples, those in hooks included, it is known how many signals took them and what
    /// the squares of their weights add up to.
    pub(crate) fn new(own: Looks, signals: f64, squares: f64) -> Self {
        let (ticks, samples) = (own.weight as f64, own.samples as f64);
        // Signals that met a hook weighed as much as others.
        let squares = if signals > samples { squares * samples / signals } else { squares };
        // It may not be known yet what the newest samples are.
        let signals = if squares > 0.0 { (ticks * ticks / squares).min(samples) } else { samples };
        Self { ticks, signals }
    }

    /// Tells if errors of shares are known.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.signals > 0.0
    }

    /// As many equal signals these samples are worth.
    #[must_use]
    pub fn signals(&self) -> f64 {
        self.signals
    }

    /// Returns `true` if so few signals found something that its time is only known to be below the
    /// interval's end.
    #[must_use]
    pub fn is_bound(&self, looks: Looks) -> bool {
        looks.samples < FEW
    }

    /// Between which times the truth lies in 95 of 100 runs (the interval of Wilson).
    #[must_use]
    pub fn interval(&self, looks: Looks) -> Interval {
        let n = self.signals;
        if n <= 0.0 || self.ticks <= 0.0 {
            return Interval::default();
        }
        if looks.weight == 0 {
            // The rule of three.
            return Interval { low: 0.0, high: self.ticks * (3.0 / n).min(1.0) };
        }
        let share = (looks.weight as f64 / self.ticks).min(1.0);
        let square = Z * Z / n;
        let middle = share + square / 2.0;
        let half = Z * ((share * (1.0 - share) + square / 4.0) / n).sqrt();
        let border = |share: f64| self.ticks * (share / (1.0 + square)).clamp(0.0, 1.0);
        Interval { low: border(middle - half), high: border(middle + half) }
    }
}

impl Interval {
    /// Half width to print behind ±, in ticks.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn precision(weight: u64, samples: u64, squared_weights: u64) -> Precision {
        Precision::new(Looks { weight, samples, ..Looks::default() }, 0.0, squared_weights as f64)
    }

    #[test]
    fn signals_and_not_ticks_make_a_figure_exact() {
        // A share of 30 % of 10,000 ticks, seen by 100 signals or by 10,000.
        let share = Looks { weight: 3000, samples: 30, ..Looks::default() };
        let few = precision(10_000, 100, 10_000 * 100).interval(share);
        let many = precision(10_000, 10_000, 10_000).interval(share);
        assert!((few.half_width() / 10_000.0 - 0.0885).abs() < 0.001, "{few:?}");
        assert!((many.half_width() / 10_000.0 - 0.00898).abs() < 0.0001, "{many:?}");
        // Signals in hooks are worth nothing to functions.
        let own = Looks { weight: 4, samples: 4, ..Looks::default() };
        assert!((Precision::new(own, 15.0, 15.0).signals() - 4.0).abs() < 1e-9);
        // Signals of different weights are worth fewer.
        assert!((precision(20, 11, 10 + 100).signals() - 400.0 / 110.0).abs() < 1e-9);
    }

    #[test]
    fn intervals_stay_between_nothing_and_everything() {
        for samples in [0, 1, 2, 5, 100] {
            let precision = precision(samples, samples, samples);
            for weight in 0..=samples {
                let Interval { low, high } =
                    precision.interval(Looks { weight, samples: weight, ..Looks::default() });
                assert!(low >= 0.0 && low <= high && high <= samples as f64);
                assert!(low <= weight as f64 + 1e-9 && weight as f64 <= high + 1e-9);
            }
        }
        let unseen = precision(1000, 1000, 1000).interval(Looks::default());
        assert_eq!((unseen.low, unseen.high), (0.0, 3.0));
        assert!(precision(9, 9, 9).is_bound(Looks { weight: 9, samples: 4, ..Looks::default() }));
    }
}
