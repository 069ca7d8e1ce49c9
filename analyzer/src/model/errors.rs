//! How exact the measured times of a model are.

use super::document::{Kind, Model};
use super::walk::totals_of_groups;
use crate::analysis::stacks::Precision;
use crate::records::Looks;

/// What a measured time may differ by from the truth, in ticks of the clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exactness {
    /// In 95 of 100 runs by no more than this.
    Within(f64),
    /// Too few signals found it to tell: in 95 of 100 runs the truth is less than this.
    Below(f64),
}

impl Model {
    /// How exact the total of each function is, as `gmon report` tells it; nothing where the signals behind the
    /// samples are not known, as without stacks.
    #[must_use]
    pub fn exactness_of_totals(&self) -> Option<Vec<Exactness>> {
        let precision = self.precision()?;
        let count = self.functions.len();
        let function = |frame: u32| Some(self.frames[frame as usize].function);
        let weights = totals_of_groups(&self.stacks, count, function, |node| node.samples);
        let signals = totals_of_groups(&self.stacks, count, function, |node| node.signals);
        let exactness = |(weight, samples)| {
            let looks = Looks { weight, samples, waiting: 0 };
            let interval = precision.interval(looks);
            match precision.is_bound(looks) {
                true => Exactness::Below(interval.high),
                false => Exactness::Within(interval.half_width()),
            }
        };
        Some(weights.into_iter().zip(signals).map(exactness).collect())
    }

    /// That of the samples that met no hook.
    fn precision(&self) -> Option<Precision> {
        let (all, signals) = (self.sampling.samples as f64, self.sampling.signals? as f64);
        let (mut ticks, mut samples) = (0.0, 0.0);
        for node in self.stacks.nodes() {
            let function = self.frames[node.frame as usize].function;
            if self.functions[function as usize].kind != Kind::Hooks {
                ticks += node.samples as f64;
                samples += node.signals as f64;
            }
        }
        if !self.has_stacks() || samples <= 0.0 {
            return None;
        }
        // Signals that met a hook weighed as much as others.
        let squares = self.sampling.dispersion? * all * all / signals;
        let squares = if signals > samples { squares * samples / signals } else { squares };
        Some(Precision::new(ticks, (ticks * ticks / squares).min(samples)))
    }
}
