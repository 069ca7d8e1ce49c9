//! The function that most likely changed, where no change was shown.

use super::comparison::{Comparison, FunctionChange, SHOWN};
use super::statistics::errors_to_show;

/// A function whose times differ by more than most do by chance, but not by enough to be shown as changed.
#[derive(Clone, Copy, Debug)]
pub struct Suspect {
    /// Position of the function in the comparison.
    pub function: u32,
    /// Runs of each side that show such a change in four of five cases; `None` if the spread of runs is unknown, for
    /// want of several, or more are needed than anybody takes.
    pub runs: Option<usize>,
}

/// Nobody is asked for more runs of each side than these.
const MOST_RUNS: usize = 1000;

/// A probability above this is not worth a line.
const LEAST_DOUBT: f64 = 0.1;

impl Comparison {
    /// The function with the smallest probability, if chance alone seldom makes it so small and no function was shown to
    /// have changed.
    #[must_use]
    pub fn suspect(&self) -> Option<Suspect> {
        let p = |it: &FunctionChange| it.own.p.unwrap_or(1.0);
        if self.tested().any(|it| it.own.q.is_some_and(|q| q < SHOWN)) {
            return None;
        }
        let tested = (0..).zip(&self.functions).filter(|(_, it)| it.own.q.is_some());
        let (function, first) = tested.min_by(|(_, a), (_, b)| p(a).total_cmp(&p(b)))?;
        (p(first) < LEAST_DOUBT).then(|| Suspect { function, runs: self.runs_to_show(first) })
    }

    /// Runs of each side that a change as large as this one needs to be shown among as many functions.
    fn runs_to_show(&self, function: &FunctionChange) -> Option<usize> {
        let [base, new] = self.runs.map(|runs| runs as f64);
        function.own.between_runs?;
        let errors = function.own.delta_ns.abs() / function.own.error_ns;
        let level = SHOWN / self.tested().count().max(1) as f64;
        // As many runs of each side have the error of these.
        let like = 2.0 * base * new / (base + new);
        let shows = |runs: &usize| {
            let df = self.df([*runs; 2]);
            df >= 1.0 && errors * (*runs as f64 / like).sqrt() >= errors_to_show(df, level)
        };
        (2..=MOST_RUNS).find(shows)
    }
}
