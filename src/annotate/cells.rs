//! The cells of a source line: executions, time and its part of all, and how the line is marked.

use anstyle::{AnsiColor, Style};
use gmon_analyzer::analysis::{LineCosts, SourceCosts};
use gmon_analyzer::is_harmful;
use gmon_analyzer::records::Sampling;
use gmon_analyzer::table::{Cell, Column, Table, width};

/// Style of the numbers of this profile.
pub(super) struct Cells {
    /// Samples in each unit of the dimension.
    rate: Option<u32>,
    dimension: String,
    /// All samples.
    total: f64,
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
    pub(super) fn new(sampling: Option<&Sampling>, costs: &SourceCosts) -> Self {
        let dimension = sampling.map_or(&b"seconds"[..], |sampling| &sampling.dimension);
        Self {
            rate: sampling.map(|sampling| sampling.rate).filter(|&rate| rate != 0),
            dimension: String::from_utf8_lossy(dimension).into_owned(),
            total: costs.total_ticks(),
        }
    }

    /// A table with times of this profile.
    pub(super) fn table(&self, columns: &'static [Column]) -> Table {
        Table { places: 3, unit: self.dimension.clone(), ..Table::new(columns) }
    }

    /// Executions, time and percentage of a line, and how it is to be marked.
    pub(super) fn values(&self, costs: &LineCosts) -> ([Cell; 3], Style) {
        let executions = match costs.executions {
            Some(0) => Cell::Said(Some(0.0), NONE.to_owned()),
            executions => Cell::known(executions),
        };
        let [time, part] = match self.rate {
            Some(rate) if costs.ticks > 0.0 => {
                let nanoseconds = 1e9 * costs.ticks / f64::from(rate);
                [nanoseconds, 100.0 * costs.ticks / self.total].map(Cell::Real)
            }
            _ => [Cell::Unknown, Cell::Unknown],
        };
        let style = match costs.executions {
            _ if costs.ticks > HOT_PART * self.total => HOT,
            Some(0) => NEVER,
            _ => Style::new(),
        };
        ([executions, time, part], style)
    }

    /// Samples in words.
    pub(super) fn amount(&self, ticks: f64) -> Option<String> {
        let rate = f64::from(self.rate?);
        let percent = if self.total > 0.0 { 100.0 * ticks / self.total } else { 0.0 };
        Some(format!("{:.2} {} ({percent:.1} %)", ticks / rate, self.dimension))
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
