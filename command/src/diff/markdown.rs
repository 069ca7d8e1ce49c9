//! A comparison in GitHub's Markdown, for the summaries of jobs and comments on changes.

use std::fmt::{self, Display, Formatter};

use gmon_analyzer::table::{TableFormat, markdown_text};

use super::Compared;
use super::changes::shown;
use super::gate::Outcome;

/// A comparison in Markdown.
pub(super) struct Markdown<'a> {
    pub(super) compared: &'a Compared,
    pub(super) outcome: &'a Outcome<'a>,
    /// Number of rows of each table.
    pub(super) top: usize,
}

impl Display for Markdown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let compared = self.compared;
        let limits = self.outcome.lines(compared);
        for line in &limits {
            writeln!(f, "- **{}**", markdown_text(line))?;
        }
        if !limits.is_empty() {
            writeln!(f)?;
        }
        let (verdict, sides) = (compared.verdict(), compared.sides());
        writeln!(f, "**{}**", markdown_text(&verdict))?;
        for line in compared.suspect().into_iter().chain([sides]) {
            writeln!(f, "\n{}", markdown_text(&line))?;
        }
        for table in shown(compared, self.top) {
            write!(f, "\n{}", TableFormat::MARKDOWN.written(&[table], None))?;
        }
        writeln!(f, "\n{}", markdown_text(&compared.rest()))?;
        let waits = compared.waits().into_iter();
        for line in waits.chain(compared.detectable()).chain(compared.notes()) {
            writeln!(f, "\n{}", markdown_text(&line))?;
        }
        Ok(())
    }
}
