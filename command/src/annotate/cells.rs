//! The cells of a source line: executions, time and its part of all, and how the line is marked.

use anstyle::{AnsiColor, Style};
use gmon_analyzer::is_harmful;
use gmon_analyzer::model::Sampling;
use gmon_analyzer::table::{Cell, Column, Table, width};

/// Style of the numbers of this profile.
pub(super) struct Cells {
    /// Time that a sample stands for; `None` if there are no samples.
    period: Option<u64>,
    dimension: String,
    /// Samples of the program's own work, which is what shares are shares of in all views.
    total: u64,
}

/// Style of marks.
pub(super) const NEVER: Style = AnsiColor::Red.on_default();
pub(super) const HOT: Style = AnsiColor::Yellow.on_default().bold();
pub(super) const ASIDE: Style = Style::new().dimmed();

/// The mark of lines that never ran.
const NONE: &str = "#####";
/// A line is hot if it has this part of all samples.
const HOT_PART: f64 = 0.05;

impl Cells {
    pub(super) fn new(sampling: &Sampling) -> Self {
        Self {
            period: Some(sampling.period_ns).filter(|_| sampling.rate_hz != 0),
            dimension: sampling.unit.clone(),
            total: sampling.own(),
        }
    }

    /// A table with times of this profile.
    pub(super) fn table(&self, columns: &'static [Column]) -> Table {
        Table { places: 3, unit: self.dimension.clone(), ..Table::new(columns) }
    }

    /// Executions, time and percentage of a line, and how it is to be marked.
    pub(super) fn values(&self, executions: Option<u64>, samples: u64) -> ([Cell; 3], Style) {
        let cell = match executions {
            Some(0) => Cell::Said(Some(0.0), NONE.to_owned()),
            executions => Cell::known(executions),
        };
        let [time, part] = match self.period.filter(|_| samples != 0) {
            Some(period) => [
                Cell::Number(samples.saturating_mul(period)),
                Cell::Real(100.0 * samples as f64 / self.total as f64),
            ],
            None => [Cell::Unknown, Cell::Unknown],
        };
        let style = match executions {
            _ if samples as f64 > HOT_PART * self.total as f64 => HOT,
            Some(0) => NEVER,
            _ => Style::new(),
        };
        ([cell, time, part], style)
    }

    /// Samples in words.
    pub(super) fn amount(&self, samples: u64) -> Option<String> {
        let time = samples.saturating_mul(self.period?) as f64 / 1e9;
        let percent = if self.total > 0 { 100.0 * samples as f64 / self.total as f64 } else { 0.0 };
        Some(format!("{time:.2} {} ({percent:.1} %)", self.dimension))
    }
}

/// A source line with blanks in place of tabs, and without what could do something to a terminal.
pub(super) fn source(line: &str) -> Cell {
    const TAB: usize = 8;
    let mut text = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '\t' => text.extend(std::iter::repeat_n(' ', TAB - width(&text) % TAB)),
            c if is_harmful(c) => {}
            c => text.push(c),
        }
    }
    Cell::text(text.trim_end())
}
