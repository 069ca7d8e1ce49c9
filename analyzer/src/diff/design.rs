//! Ways to compare the runs of both sides.

use crate::model::Model;

/// Degrees of freedom of the spread of so many runs of each side; 0 or less for single runs.
pub(super) fn degrees_of_freedom(has_pairs: bool, runs: [usize; 2]) -> f64 {
    let [base, new] = runs.map(|runs| runs as f64);
    if has_pairs { base - 1.0 } else { base + new - 2.0 }
}

/// Common ground of the runs of two sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Design {
    /// The sides took turns: what made a run of the base slow also slowed the run of the new side with its number.
    pub turns: bool,
    /// Parts of a run's total are compared instead of times, so that it does not matter how fast the machine was.
    pub shares: bool,
}

impl Design {
    /// With fewer pairs the spread of their differences is known too badly.
    const LEAST_PAIRS: usize = 5;

    /// Returns `true` if each run of the base can be compared with the run of the new side next to it.
    pub(super) fn may_have_pairs(self, runs: [usize; 2]) -> bool {
        self.turns && runs[0] == runs[1] && runs[0] >= Self::LEAST_PAIRS
    }

    /// For each run the factor that makes its total time the mean of all runs; none if times are compared.
    pub(super) fn factors(self, sides: [&[Model]; 2]) -> [Vec<f64>; 2] {
        if !self.shares {
            return [Vec::new(), Vec::new()];
        }
        let time = |run: &Model| run.sampling.time(run.sampling.samples) as f64;
        let times = sides.map(|runs| runs.iter().map(time).collect::<Vec<f64>>());
        let all = || times.iter().flatten().filter(|time| **time > 0.0);
        let mean = all().sum::<f64>() / all().count().max(1) as f64;
        times.map(|side| {
            side.iter().map(|time| if *time > 0.0 { mean / time } else { 1.0 }).collect()
        })
    }
}
