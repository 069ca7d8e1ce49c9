//! A comparison for people.

use std::fmt::{self, Display, Formatter};

use anstyle::Style;
use gmon_analyzer::table::TableFormat;
use gmon_analyzer::wrapping::wrapped;

use super::Compared;
use super::changes::shown;
use super::gate::Outcome;
use crate::text::harmless;

/// A comparison in text.
pub(super) struct Text<'a> {
    pub(super) compared: &'a Compared,
    pub(super) outcome: &'a Outcome<'a>,
    /// Number of rows of each table.
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
        compared.suspect().map_or(Ok(()), |suspect| self.line(f, &suspect))?;
        self.line(f, &compared.sides())?;
        for table in shown(compared, self.top) {
            write!(f, "\n{}", TableFormat::TEXT.written(&[table], self.width))?;
        }
        writeln!(f)?;
        for line in compared.waits() {
            self.line(f, &line)?;
        }
        self.line(f, &compared.rest())?;
        for line in compared.detectable().into_iter().chain(compared.notes()) {
            self.line(f, &line)?;
        }
        Ok(())
    }
}

impl Text<'_> {
    /// A line, broken between words where a terminal ends.
    fn line(&self, f: &mut Formatter<'_>, text: &str) -> fmt::Result {
        const INDENT: &str = "\n  ";
        let width = self.width.unwrap_or(usize::MAX);
        let text = harmless(text);
        let lines: Vec<&str> = wrapped(&text, width.saturating_sub(INDENT.len() - 1)).collect();
        writeln!(f, "{}", lines.join(INDENT))
    }
}
