//! Precision of the measured times of a model.

use super::document::{Kind, Model};
use super::ids::FrameId;
use super::sites::totals_of_groups;
use crate::analysis::stacks::Node;
use crate::analysis::stacks::Precision;
use crate::records::Looks;

/// Error of a measured time, in ticks of the clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exactness {
    /// In 95 of 100 runs by no more than this.
    Within(f64),
    /// Too few signals found it to tell: in 95 of 100 runs the truth is less than this.
    Below(f64),
}

/// Signals of one sample each that would be as exact, as a multiple of those that there were. `squares` is the sum of the squares
/// of their samples.
pub(super) fn dispersion(signals: u64, squares: f64, samples: u64) -> Option<f64> {
    let samples = samples as f64;
    let factor = signals as f64 * squares / (samples * samples);
    // Few digits: any reader gets the number that was written.
    factor.is_finite().then(|| ((factor * 1000.0).round() / 1000.0).max(1.0))
}

impl Model {
    /// Precision of the total of each function, as `gmon report` tells it; nothing where the signals behind the
    /// samples are not known, as without stacks.
    #[must_use]
    pub fn exactness_of_totals(&self) -> Option<Vec<Exactness>> {
        let precision = self.precision()?;
        let count = self.functions.len();
        let function = |frame: FrameId| Some(self.frames[frame.index()].function.0);
        let totals = totals_of_groups(&self.stacks, count, function);
        let exactness = |looks: Looks| {
            let interval = precision.interval(looks);
            match precision.is_bound(looks) {
                true => Exactness::Below(interval.high),
                false => Exactness::Within(interval.half_width()),
            }
        };
        Some(totals.into_iter().map(exactness).collect())
    }

    /// Precision of the samples that met no hook.
    pub(super) fn precision(&self) -> Option<Precision> {
        let (all, signals) = (self.sampling.samples as f64, self.sampling.signals? as f64);
        let is_own = |node: &&Node| {
            let function = self.frames[node.frame.index()].function;
            self.functions[function.index()].kind != Kind::Hooks
        };
        let own: Looks = self.stacks.nodes().iter().filter(is_own).map(|node| node.own).sum();
        if !self.has_stacks() || own.samples == 0 {
            return None;
        }
        let squares = self.sampling.dispersion? * all * all / signals;
        Some(Precision::new(own, signals, squares))
    }
}
