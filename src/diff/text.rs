//! A comparison for people.

use std::fmt::{self, Display, Formatter};

use anstyle::Style;

use super::Compared;
use super::gate::Outcome;
use super::words::{calls, percent, probability};
use crate::text::{fitted, grouped, harmless, left};

/// A comparison in text.
pub(super) struct Text<'a> {
    pub(super) compared: &'a Compared,
    pub(super) outcome: &'a Outcome<'a>,
    /// So many rows of each table.
    pub(super) top: usize,
    /// The columns of the terminal, if it is one.
    pub(super) width: Option<usize>,
}

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (compared, bold) = (self.compared, Style::new().bold());
        for line in self.outcome.lines(compared) {
            writeln!(f, "{bold}{}{bold:#}", harmless(&line))?;
        }
        self.line(f, &compared.verdict())?;
        self.line(f, &compared.sides())?;
        self.times(f)?;
        self.calls(f)?;
        writeln!(f)?;
        self.line(f, &compared.rest())?;
        if let Some(detectable) = compared.detectable() {
            self.line(f, &detectable)?;
        }
        for note in compared.notes() {
            self.line(f, &note)?;
        }
        Ok(())
    }
}

impl Text<'_> {
    /// A line, broken between words where a terminal ends.
    fn line(&self, f: &mut Formatter<'_>, text: &str) -> fmt::Result {
        let width = self.width.unwrap_or(usize::MAX);
        let (mut column, mut gap) = (0, "");
        for word in harmless(text).split(' ') {
            let len = word.chars().count();
            if column > 0 && column + 1 + len > width {
                write!(f, "\n  {word}")?;
                column = 2 + len;
            } else {
                write!(f, "{gap}{word}")?;
                column += gap.len() + len;
            }
            gap = " ";
        }
        writeln!(f)
    }

    fn times(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (compared, bold) = (self.compared, Style::new().bold());
        let changed = compared.slower_or_faster();
        if changed.is_empty() {
            return Ok(());
        }
        writeln!(
            f,
            "\n{bold}{:>9} {:>9} {:>9} {:>7} {:>7} {:>7}  function{bold:#}",
            "base", "new", "change", "±", "%", "q"
        )?;
        for function in changed.iter().take(self.top) {
            let times = &function.own;
            let [base, new] = times.per_run_ns.map(|ns| compared.seconds(ns));
            let [low, high] = times.interval_ns;
            let cells = format!(
                "{base:>9} {new:>9} {:>9} {:>7} {:>7} {:>7}  ",
                compared.change(times.delta_ns),
                compared.seconds((high - low) / 2.0),
                percent(times),
                probability(times.q.unwrap_or(1.0)),
            );
            self.row(f, &cells, compared.name(function))?;
        }
        self.more(f, changed.len())
    }

    fn calls(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (compared, bold) = (self.compared, Style::new().bold());
        let changed = compared.calls();
        if changed.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n{bold}{:>16} {:>16} {:>13}  calls of{bold:#}", "base", "new", "change")?;
        for (function, arcs) in changed.iter().take(self.top) {
            if let Some(counts) = &function.calls {
                let [base, new, change] = calls(counts);
                let cells = format!("{base:>16} {new:>16} {change:>13}  ");
                self.row(f, &cells, compared.name(function))?;
            }
            for arc in arcs.iter().take(self.top) {
                let [base, new, change] = calls(&arc.calls);
                let cells = format!("{base:>16} {new:>16} {change:>13}    by ");
                self.row(f, &cells, (compared.caller(arc).to_owned(), String::new()))?;
            }
            self.more(f, arcs.len())?;
        }
        self.more(f, changed.len())
    }

    fn row(&self, f: &mut Formatter<'_>, cells: &str, name: (String, String)) -> fmt::Result {
        let room = left(self.width, cells);
        writeln!(f, "{cells}{}", fitted(&harmless(&name.0), &harmless(&name.1), room))
    }

    /// What is left of a table.
    fn more(&self, f: &mut Formatter<'_>, rows: usize) -> fmt::Result {
        match rows.checked_sub(self.top) {
            None | Some(0) => Ok(()),
            Some(more) => writeln!(f, "... and {} more; --top N shows N", grouped(more as u64)),
        }
    }
}
