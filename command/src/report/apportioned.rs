//! The callers and callees of a function without call stacks: the function's time is divided among its callers
//! by calls, as gprof does.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

use anstyle::Style;
use gmon_analyzer::model::{Arc, Function, FunctionId};
use gmon_analyzer::numbers::places;
use gmon_analyzer::table::{Cell, Column, Unit};

use super::sheet::Sheet;
use super::subject::{Source, Subject, words};
use crate::open::UNSAMPLED;
use crate::text::counted;

const COLUMNS: &[Column] =
    &[Column::number("total", Unit::Time, 10), Column::number("calls", Unit::Count, 15)];

/// Functions with their lines.
pub(super) struct Apportioned<'a> {
    subject: Subject<'a>,
    functions: Vec<FunctionId>,
}

/// Time and calls, as far as they are known. Calls within a cycle have no time.
type Sums = (Option<u64>, Option<u64>);

/// A caller or a callee, and what it has to do with a function. Callers outside of the program are `None`.
type Pair = (Option<FunctionId>, Sums);

impl<'a> Apportioned<'a> {
    /// Takes functions of a profile.
    pub(super) fn new(subject: Subject<'a>, functions: Vec<FunctionId>) -> Self {
        Self { subject, functions }
    }

    fn time(&self, nanoseconds: u64) -> String {
        let places = places(self.subject.model.sampling.rate_hz);
        format!("{:.places$}", nanoseconds as f64 / 1e9)
    }

    /// Callers of a function, and what it did for each. What is called from outside of the program does the rest for that.
    fn callers(&self, function: &Function) -> Vec<Pair> {
        let is_called = |arc: &Arc| arc.callee == function.id;
        let mut callers = self.pairs(|arc| is_called(arc).then_some(arc.caller));
        let known = callers.iter().filter_map(|(_, (time, _))| *time).fold(0, u64::saturating_add);
        if let Some((_, (time, _))) = callers.iter_mut().find(|(caller, _)| caller.is_none()) {
            let rest = function.total_ns.saturating_sub(known);
            *time = function.cycle.is_none().then_some(rest);
        }
        callers.sort_by_cached_key(|(_, sums)| Reverse(*sums));
        callers
    }

    /// Time and calls with other functions, from all lines, the most time first.
    fn pairs(&self, other: impl Fn(&Arc) -> Option<Option<FunctionId>>) -> Vec<Pair> {
        let mut sums: BTreeMap<Option<FunctionId>, Sums> = BTreeMap::new();
        let add =
            |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).reduce(u64::saturating_add);
        for arc in self.subject.model.arcs.iter().filter(|arc| arc.calls != Some(0)) {
            if let Some(other) = other(arc) {
                let sums = sums.entry(other).or_default();
                *sums = (add(sums.0, arc.total_ns), add(sums.1, arc.calls));
            }
        }
        let mut rows: Vec<_> = sums.into_iter().collect();
        rows.sort_by_cached_key(|(_, sums)| Reverse(*sums));
        rows
    }
}

impl Apportioned<'_> {
    /// All that it says.
    pub(super) fn write(&self, f: &mut Sheet) -> fmt::Result {
        let bold = Style::new().bold();
        for &id in &self.functions {
            let function = self.subject.function(id);
            let name = self.subject.title(id, false);
            let (total, own) = (self.time(function.total_ns), self.time(function.self_ns));
            let calls = counted(function.calls.unwrap_or(0), "call");
            writeln!(f, "{bold}{name}{bold:#}\n{total} seconds, {own} of them in itself; {calls}")?;
            let callers = self.callers(function);
            let callees = self.pairs(|arc| (arc.caller == Some(id)).then_some(Some(arc.callee)));
            for (title, rows) in [("callers", callers), ("callees", callees)] {
                let rows = rows.into_iter().map(|(other, (time, calls))| {
                    let name = other.map(|id| self.subject.named(id, false));
                    let name = name.unwrap_or_else(|| words("[outside of the program]"));
                    [vec![Cell::or_dash(time), Cell::or_dash(calls)], name]
                });
                self.subject.write_neighbours((id, title), COLUMNS, rows, f)?;
            }
            writeln!(f)?;
        }
        if self.subject.model.sampling.samples == 0 {
            return writeln!(f, "total: not known; {UNSAMPLED}");
        }
        write!(f, "total: a guess, divided among callers by calls")?;
        match &self.subject.source {
            Source::Exported(_) => writeln!(f),
            Source::Data { why_no_stacks, .. } => writeln!(
                f,
                "; {}\ngmon run measures it, and so does GMON_OPTIONS=stacks: run the program again with either",
                why_no_stacks.as_deref().unwrap_or_default()
            ),
        }
    }
}
