//! What several runs of a program have in common, and how much they differ.

use std::fmt::{self, Display, Formatter};
use std::path::Path;

use anstyle::Style;
use gmon_analyzer::Model;
use gmon_analyzer::diff::{FunctionRuns, across_runs};

use crate::text::{counted, fitted, grouped, harmless, left, quoted};

/// A table of functions over several runs.
pub(crate) struct Spread<'a> {
    pub(crate) models: &'a [Model],
    /// Where the profiles are.
    pub(crate) folder: &'a Path,
    /// So many rows.
    pub(crate) top: usize,
    /// The columns of the terminal, if it is one.
    pub(crate) width: Option<usize>,
}

/// The mean of numbers and their standard deviation; 0 for a single one.
fn mean_and_spread(numbers: &[f64]) -> (f64, f64) {
    let number = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / number;
    let squares: f64 = numbers.iter().map(|x| (x - mean) * (x - mean)).sum();
    (mean, if number > 1.0 { (squares / (number - 1.0)).sqrt() } else { 0.0 })
}

impl Display for Spread<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Some(first) = self.models.first() else { return Ok(()) };
        let bold = Style::new().bold();
        let period = |run: usize| self.models[run].sampling.period_ns as f64 / 1e9;
        let seconds = |samples: &[u64]| -> Vec<f64> {
            samples.iter().enumerate().map(|(run, it)| *it as f64 * period(run)).collect()
        };
        let all: Vec<u64> = self.models.iter().map(|model| model.sampling.samples).collect();
        let all = seconds(&all);
        let (total, spread) = mean_and_spread(&all);
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        let most = all.iter().copied().fold(0.0, f64::max);
        let unit =
            if first.sampling.is_time() { "seconds of CPU time" } else { &first.sampling.unit };
        writeln!(
            f,
            "{bold}{}{bold:#}: {}, each {total:.3} {unit} with a spread of {spread:.3} ({least:.3} to {most:.3})",
            harmless(&first.program),
            counted(self.models.len() as u64, "run"),
        )?;
        let mut rows: Vec<(FunctionRuns, f64, f64)> = across_runs(self.models)
            .into_iter()
            .map(|it| {
                let (mean, spread) = mean_and_spread(&seconds(&it.samples));
                (it, mean, spread)
            })
            .collect();
        let calls = |it: &FunctionRuns| {
            it.calls.as_ref().and_then(|runs| runs.first().copied()).unwrap_or(0)
        };
        rows.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| calls(&b.0).cmp(&calls(&a.0))));
        writeln!(
            f,
            "\n{bold}{:>8} {:>7} {:>5} {:>21}  function{bold:#}",
            "self", "spread", "%", "calls"
        )?;
        for (function, mean, spread) in rows.iter().take(self.top) {
            let percent = if total > 0.0 { 100.0 * mean / total } else { 0.0 };
            let cells = format!("{mean:8.3} {spread:7.3} {percent:5.1} {:>21}  ", range(function));
            let room = left(self.width, &cells);
            let module = match function.module.as_str() {
                "" => String::new(),
                module => format!(" [{}]", harmless(module)),
            };
            writeln!(f, "{cells}{}", fitted(&harmless(&function.display), &module, room))?;
        }
        if let Some(more @ 1..) = rows.len().checked_sub(self.top) {
            writeln!(f, "{:46}... and {}", "", counted(more as u64, "more function"))?;
        }
        writeln!(
            f,
            "spread: standard deviation from run to run\n\nprofiles {}\nmore     gmon diff BASE {}",
            harmless(&self.folder.to_string_lossy()),
            quoted(self.folder)
        )
    }
}

/// The calls of all runs: one number if they agree.
fn range(function: &FunctionRuns) -> String {
    let Some(runs) = &function.calls else { return "-".to_owned() };
    let (low, high) = (runs.iter().min().copied(), runs.iter().max().copied());
    match (low.unwrap_or(0), high.unwrap_or(0)) {
        (low, high) if low == high => grouped(low),
        (low, high) => format!("{}…{}", grouped(low), grouped(high)),
    }
}

#[cfg(test)]
mod tests {
    use super::mean_and_spread;

    #[test]
    fn the_spread_is_that_of_a_sample() {
        assert_eq!(mean_and_spread(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).0, 5.0);
        let (_, spread) = mean_and_spread(&[1.0, 3.0]);
        assert!((spread - 2.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(mean_and_spread(&[3.0]), (3.0, 0.0));
    }
}
