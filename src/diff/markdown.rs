//! A comparison in GitHub's Markdown, for the summaries of jobs and comments on changes.

use std::fmt::{self, Display, Formatter};

use gmon_analyzer::diff::FunctionChange;
use gmon_analyzer::export::{markdown_code, markdown_text};

use super::Compared;
use super::gate::Outcome;
use super::words::{calls, percent, probability};
use crate::text::grouped;

/// A comparison in Markdown.
pub(super) struct Markdown<'a> {
    pub(super) compared: &'a Compared,
    pub(super) outcome: &'a Outcome<'a>,
    /// So many rows of each table.
    pub(super) top: usize,
}

impl Display for Markdown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let compared = self.compared;
        for line in self.outcome.lines(compared) {
            writeln!(f, "- **{}**", markdown_text(&line))?;
        }
        if !self.outcome.lines(compared).is_empty() {
            writeln!(f)?;
        }
        writeln!(
            f,
            "**{}**\n\n{}",
            markdown_text(&compared.verdict()),
            markdown_text(&compared.sides())
        )?;
        self.times(f)?;
        self.calls(f)?;
        writeln!(f, "\n{}", markdown_text(&compared.rest()))?;
        for line in compared.detectable().into_iter().chain(compared.notes()) {
            writeln!(f, "\n{}", markdown_text(&line))?;
        }
        Ok(())
    }
}

impl Markdown<'_> {
    fn times(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let compared = self.compared;
        let changed = compared.slower_or_faster();
        if changed.is_empty() {
            return Ok(());
        }
        let unit = compared.unit();
        writeln!(f, "\n| base {unit} | new {unit} | change | ± | % | q | function |")?;
        writeln!(f, "|---:|---:|---:|---:|---:|---:|---|")?;
        for function in changed.iter().take(self.top) {
            let times = &function.own;
            let [base, new] = times.per_run_ns.map(|ns| compared.seconds(ns));
            let [low, high] = times.interval_ns;
            writeln!(
                f,
                "| {base} | {new} | {} | {} | {} | {} | {} |",
                compared.change(times.delta_ns),
                compared.seconds((high - low) / 2.0),
                percent(times),
                probability(times.q.unwrap_or(1.0)),
                self.name(function),
            )?;
        }
        self.more(f, changed.len())
    }

    fn calls(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let compared = self.compared;
        let changed = compared.calls();
        if changed.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n| base | new | change | calls of | by |\n|---:|---:|---:|---|---|")?;
        for (function, arcs) in changed.iter().take(self.top) {
            let name = self.name(function);
            if let Some(counts) = &function.calls {
                let [base, new, change] = calls(counts);
                writeln!(f, "| {base} | {new} | {change} | {name} | |")?;
            }
            for arc in arcs.iter().take(self.top) {
                let [base, new, change] = calls(&arc.calls);
                let caller = markdown_code(compared.caller(arc));
                writeln!(f, "| {base} | {new} | {change} | {name} | {caller} |")?;
            }
        }
        self.more(f, changed.len())
    }

    fn name(&self, function: &FunctionChange) -> String {
        let (name, place) = self.compared.name(function);
        format!("{}{}", markdown_code(&name), markdown_text(&place))
    }

    fn more(&self, f: &mut Formatter<'_>, rows: usize) -> fmt::Result {
        match rows.checked_sub(self.top) {
            None | Some(0) => Ok(()),
            Some(more) => writeln!(f, "\n... and {} more", grouped(more as u64)),
        }
    }
}
