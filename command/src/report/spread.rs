//! What several runs of a program have in common, and how much they differ.

use std::fmt::{self, Write};
use std::path::Path;

use anstyle::Style;
use gmon_analyzer::Model;
use gmon_analyzer::diff::{FunctionRuns, across_runs};
use gmon_analyzer::model::Sampling;
use gmon_analyzer::table::{Cell, Column, Row, Table, Unit};

use super::apart::{is_apart, what_shares_are};
use super::sheet::Sheet;
use super::subject::{FUNCTION, more_functions};
use crate::text::{counted, grouped, harmless, quoted};

const COLUMNS: &[Column] = &[
    Column::number("self", Unit::Time, 8),
    Column::number("spread", Unit::Time, 7),
    Column::number("self", Unit::Percent, 5).headed("%"),
    Column::number("calls", Unit::Count, 21),
];

/// A table of functions over several runs.
pub(crate) struct Spread<'a> {
    pub(crate) models: &'a [Model],
    /// Where the profiles are.
    pub(crate) folder: &'a Path,
    /// So many rows.
    pub(crate) top: usize,
}

/// The mean of numbers and their standard deviation; 0 for a single one.
fn mean_and_spread(numbers: &[f64]) -> (f64, f64) {
    let number = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / number;
    let squares: f64 = numbers.iter().map(|x| (x - mean) * (x - mean)).sum();
    (mean, if number > 1.0 { (squares / (number - 1.0)).sqrt() } else { 0.0 })
}

impl Spread<'_> {
    /// All that it says.
    pub(crate) fn sheet(&self) -> Sheet {
        Sheet::of(|f| self.write(f))
    }

    fn write(&self, f: &mut Sheet) -> fmt::Result {
        let Some(first) = self.models.first() else { return Ok(()) };
        let bold = Style::new().bold();
        let times = |samples: &[u64]| -> Vec<f64> {
            let periods = self.models.iter().map(|model| model.sampling.period_ns);
            samples.iter().zip(periods).map(|(it, period)| *it as f64 * period as f64).collect()
        };
        let of_models = |samples: fn(&Sampling) -> u64| -> Vec<f64> {
            let samples: Vec<u64> =
                self.models.iter().map(|model| samples(&model.sampling)).collect();
            times(&samples)
        };
        let all = of_models(|sampling| sampling.samples);
        let (own, _) = mean_and_spread(&of_models(Sampling::own));
        let (total, spread) = mean_and_spread(&all);
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        let most = all.iter().copied().fold(0.0, f64::max);
        let [mean, spread, least, most] = [total, spread, least, most].map(|time| time / 1e9);
        let unit = match first.sampling.is_time() {
            true => format!("seconds of {}", first.sampling.clock()),
            false => first.sampling.unit.clone(),
        };
        writeln!(
            f,
            "{bold}{}{bold:#}: {}, each {mean:.3} {unit} with a spread of {spread:.3} ({least:.3} to {most:.3})\n",
            harmless(&first.program),
            counted(self.models.len() as u64, "run"),
        )?;
        let with_mean = |it: FunctionRuns| (mean_and_spread(&times(&it.samples)), it);
        let mut rows: Vec<_> = across_runs(self.models).into_iter().map(with_mean).collect();
        let calls = |it: &FunctionRuns| it.calls.as_ref().and_then(|runs| runs.first().copied());
        rows.sort_by(|((a, _), a_runs), ((b, _), b_runs)| {
            b.total_cmp(a).then_with(|| calls(b_runs).unwrap_or(0).cmp(&calls(a_runs).unwrap_or(0)))
        });
        let mut table = Table { places: 3, ..Table::new([COLUMNS, FUNCTION].concat()) };
        let listed = || rows.iter().take(self.top);
        for ((mean, spread), function) in listed() {
            let whole = if is_apart(&function.display) { total } else { own };
            let percent = if whole > 0.0 { 100.0 * mean / whole } else { 0.0 };
            let numbers = [*mean, *spread, percent].map(Cell::Real);
            let name = [Cell::name(&function.display), Cell::Unknown, Cell::text(&function.module)];
            table.rows.push(Row::of([&numbers[..], &[range(function)], &name].concat()));
        }
        if let Some(more @ 1..) = rows.len().checked_sub(self.top) {
            let nothing = COLUMNS.iter().map(|_| Cell::Unknown);
            table.rows.push(Row::Rest(nothing.chain(more_functions(more)).collect()));
        }
        f.table(table);
        let names = listed().map(|(_, function)| function.display.as_str());
        if let Some(sentence) = what_shares_are(names) {
            writeln!(f, "{sentence}")?;
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
fn range(function: &FunctionRuns) -> Cell {
    let Some(runs) = &function.calls else { return Cell::dash() };
    let (low, high) = (runs.iter().min().copied(), runs.iter().max().copied());
    match (low.unwrap_or(0), high.unwrap_or(0)) {
        (low, high) if low == high => Cell::Number(low),
        (low, high) => Cell::Said(None, format!("{}…{}", grouped(low), grouped(high))),
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
