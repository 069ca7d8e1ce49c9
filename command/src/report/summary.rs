//! The summary of a profile without call stacks: the functions that took the most time, in a few lines.

use std::fmt::{self, Write};

use anstyle::Style;
use gmon_analyzer::numbers::places;
use gmon_analyzer::table::{Cell, Column, Placing, Row, Table, Unit};

use super::apart::{is_apart, what_shares_are};
use super::rows::{Rows, SummaryRow};
use super::sheet::Sheet;
use super::subject::{Source, Subject};
use crate::text::{counted, grouped, harmless};

const COLUMNS: &[Column] = &[
    Column::number("self", Unit::Time, 10),
    Column::number("self", Unit::Percent, 6).headed("%"),
    Column::number("total", Unit::Time, 10),
    Column::number("calls", Unit::Count, 15),
    Column::text("function", Placing::Last),
];

/// A profile in a few lines.
pub(super) struct Summary<'a> {
    subject: Subject<'a>,
    rows: Rows,
}

impl<'a> Summary<'a> {
    /// Takes a profile. If it is known what its processes used, all rows together are their CPU time.
    pub(super) fn new(subject: Subject<'a>) -> Self {
        Self { rows: Rows::new(&subject), subject }
    }

    /// Nanoseconds as an amount of what was sampled, normally seconds.
    fn amount(&self, time: u64) -> String {
        format!("{:.*}", places(self.subject.model.sampling.rate_hz), time as f64 / 1e9)
    }

    /// Calls of all rows.
    fn calls(&self) -> u64 {
        self.rows.functions.iter().fold(0, |sum, row| sum.saturating_add(row.calls))
    }

    fn first_line(&self, no_calls: Option<&str>) -> String {
        let sampling = &self.subject.model.sampling;
        let mut line = format!(": {} {}", self.amount(self.rows.time()), harmless(&sampling.unit));
        match self.subject.processes {
            Some((1, _)) => line.push_str(" of CPU time"),
            Some((number, _)) => {
                line = format!("{line} of CPU time in {}", counted(number as u64, "process"));
            }
            None => line = format!("{line} in {} samples", sampling.samples),
        }
        let called = self.rows.functions.iter().filter(|row| row.calls != 0);
        let functions = counted(called.count() as u64, "function");
        let calls = match no_calls {
            Some(why) => why.to_owned(),
            None => format!("{} of {functions}", counted(self.calls(), "call")),
        };
        format!("{line} ({} samples each second), {calls}", grouped(sampling.rate_hz.into()))
    }

    fn cells(&self, row: &SummaryRow) -> Vec<Cell> {
        let whole = if is_apart(&row.name) { self.rows.time() } else { self.rows.own_time() };
        let percent = if whole > 0 { 100.0 * row.own as f64 / whole as f64 } else { 0.0 };
        // Code without hooks is sampled but its calls are not counted.
        let calls = (row.calls != 0).then_some(row.calls);
        let name = Cell::text(&row.name);
        let (own, total) = (Cell::Number(row.own), Cell::or_dash(row.total));
        vec![own, Cell::Real(percent), total, Cell::or_dash(calls), name]
    }

    /// The functions that are not listed, as if they were one.
    fn others(&self) -> Option<SummaryRow> {
        let top = self.subject.view.top;
        let others = self.rows.functions.get(top..).filter(|others| !others.is_empty())?;
        Some(SummaryRow {
            name: format!("... and {}", counted(others.len() as u64, "more function")),
            own: others.iter().map(|row| row.own).sum(),
            total: None,
            calls: others.iter().fold(0, |sum, row| sum.saturating_add(row.calls)),
        })
    }
}

impl Summary<'_> {
    /// All that it says.
    pub(super) fn write(&self, f: &mut Sheet) -> fmt::Result {
        let bold = Style::new().bold();
        let (no_calls, remedy) = match self.calls() {
            0 => {
                let (why, remedy) = self.subject.why_no_calls();
                (Some(why), remedy)
            }
            _ => (None, None),
        };
        writeln!(f, "{bold}{}{bold:#}{}", self.subject.program(), self.first_line(no_calls))?;
        if let Some(remedy) = remedy {
            writeln!(f, "{remedy}")?;
        }

        writeln!(f)?;
        let mut table = Table::new(COLUMNS);
        table.places = places(self.subject.model.sampling.rate_hz);
        let listed = self.rows.functions.iter().take(self.subject.view.top);
        table.rows.extend(listed.map(|row| Row::of(self.cells(row))));
        table.rows.extend(self.others().map(|row| Row::Rest(self.cells(&row))));
        table.rows.extend(self.rows.places.iter().map(|row| Row::of(self.cells(row))));
        f.table(table);
        writeln!(
            f,
            "total: with the functions called, whose time is divided among callers by calls"
        )?;
        let places = self.rows.places.iter().map(|row| row.name.as_str());
        what_shares_are(places).map_or(Ok(()), |sentence| writeln!(f, "{sentence}"))?;

        let (words, names) = self.subject.files();
        writeln!(f, "\nprofile  {words}")?;
        match self.subject.source {
            Source::Data { .. } => writeln!(f, "more     gmon gprof {names}"),
            Source::Exported(_) => writeln!(f, "more     gmon report {names} --calls FUNCTION"),
        }
    }
}
