//! The columns before a source line: executions, time and its part of all, and the line's number.

use anstyle::{AnsiColor, Style};
use gmon_analyzer::analysis::{LineCosts, SourceCosts};
use gmon_analyzer::is_harmful;
use gmon_analyzer::records::Sampling;
use gmon_analyzer::table::{Cell, Column, Table};

use crate::text::grouped;

/// Style of the numbers of this profile.
pub(super) struct Cells {
    /// Columns of the terminal, beyond which nothing is written.
    width: Option<usize>,
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
    pub(super) fn new(
        sampling: Option<&Sampling>,
        costs: &SourceCosts,
        width: Option<usize>,
    ) -> Self {
        let dimension = sampling.map_or(&b"seconds"[..], |sampling| &sampling.dimension);
        Self {
            width,
            rate: sampling.map(|sampling| sampling.rate).filter(|&rate| rate != 0),
            dimension: String::from_utf8_lossy(dimension).into_owned(),
            total: costs.total_ticks(),
        }
    }

    /// The names of the columns.
    pub(super) fn heading(&self) -> String {
        format!("{:>14} {:>9} {:>6}", "executions", self.dimension, "%")
    }

    /// The cells of a line, and how it is to be marked.
    pub(super) fn line(&self, costs: Option<&LineCosts>) -> (String, Style) {
        let Some(costs) = costs else { return (self.blank(), Style::new()) };
        let executions = match costs.executions {
            Some(0) => NONE.to_owned(),
            Some(executions) => grouped(executions),
            None => String::new(),
        };
        (format!("{executions:>14} {}", self.time(costs.ticks)), self.style(costs))
    }

    fn style(&self, costs: &LineCosts) -> Style {
        match costs.executions {
            _ if costs.ticks > HOT_PART * self.total => HOT,
            Some(0) => NEVER,
            _ => Style::new(),
        }
    }

    /// A table whose times are as those of the other cells.
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
        ([executions, time, part], self.style(costs))
    }

    /// The cells of what stands below a line.
    pub(super) fn aside(&self, count: Option<u64>) -> String {
        let count = count.map(grouped).unwrap_or_default();
        format!("{count:>14} {:>9} {:>6}", "", "")
    }

    pub(super) fn blank(&self) -> String {
        self.aside(None)
    }

    /// Samples as an amount and a part of all; nothing if there are none.
    pub(super) fn time(&self, ticks: f64) -> String {
        match self.rate {
            Some(rate) if ticks > 0.0 => {
                let percent = 100.0 * ticks / self.total;
                format!("{:9.3} {percent:6.1}", ticks / f64::from(rate))
            }
            _ => format!("{:>9} {:>6}", "", ""),
        }
    }

    /// Samples in words.
    pub(super) fn amount(&self, ticks: f64) -> Option<String> {
        let rate = f64::from(self.rate?);
        let percent = if self.total > 0.0 { 100.0 * ticks / self.total } else { 0.0 };
        Some(format!("{:.2} {} ({percent:.1} %)", ticks / rate, self.dimension))
    }

    /// As much of a line as has room behind `used` columns, with blanks in place of tabs.
    pub(super) fn clip(&self, text: &str, used: usize) -> String {
        const TAB: usize = 8;
        let mut clipped = String::with_capacity(text.len());
        let mut columns = 0;
        for c in text.chars() {
            if self.width.is_some_and(|width| used + columns >= width) {
                break;
            }
            match c {
                '\t' => {
                    let blanks = TAB - columns % TAB;
                    clipped.extend(std::iter::repeat_n(' ', blanks));
                    columns += blanks;
                }
                c if is_harmful(c) => {}
                c => {
                    clipped.push(c);
                    columns += 1;
                }
            }
        }
        clipped
    }
}
