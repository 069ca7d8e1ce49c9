//! The callers and callees of a function without call stacks: the function's time is divided among its callers
//! by calls, as gprof does.

use std::cmp::Reverse;
use std::fmt::{self, Display, Formatter};

use anstyle::Style;
use anyhow::{Result, bail};
use gmon_analyzer::Measurement;
use gmon_analyzer::analysis::{ArcKind, TimedArc};
use gmon_analyzer::symbols::SymbolId;

use crate::named::is_called;
use crate::naming::Naming;
use crate::open::UNSAMPLED;
use crate::text::{counted, grouped, harmless};

/// Functions with their lines.
pub(super) struct Apportioned {
    functions: Vec<Lines>,
    rate: u32,
    /// Why nothing was measured; `None` if there is no sample.
    why: Option<String>,
}

/// A function, in ticks.
struct Lines {
    name: String,
    own: f64,
    total: f64,
    calls: u64,
    callers: Vec<GuessRow>,
    callees: Vec<GuessRow>,
}

/// A caller or a callee.
struct GuessRow {
    name: String,
    /// The time that is divided; none for calls within a cycle.
    time: Option<f64>,
    calls: u64,
}

impl Apportioned {
    /// The functions that have a name. `why` tells why nothing was measured.
    ///
    /// # Errors
    ///
    /// No function that was called or seen has it.
    pub(super) fn new(
        measurement: &Measurement,
        name: &str,
        naming: Naming,
        why: String,
    ) -> Result<Self> {
        let graph = measurement.graph();
        let names = measurement.names(naming.style());
        let readable =
            |id: SymbolId| harmless(&String::from_utf8_lossy(names.plain(id))).into_owned();
        let mut found: Vec<SymbolId> = measurement.program().symbols().ids().collect();
        found.retain(|&id| {
            let costs = graph.function(id);
            let is_used = costs.all_calls() > 0 || costs.time > 0.0;
            is_used && (*names.raw(id) == *name.as_bytes() || is_called(&readable(id), name))
        });
        if found.is_empty() {
            bail!(
                "no function {name} was called or seen by a sample; gmon report without --calls lists those that were"
            );
        }
        let row = |id: SymbolId, arc: &TimedArc| GuessRow {
            name: readable(id),
            time: (arc.kind == ArcKind::Outside).then_some(arc.own + arc.children),
            calls: arc.arc.count,
        };
        let sorted = |mut rows: Vec<GuessRow>| {
            let ticks = |row: &GuessRow| (row.time.unwrap_or(-1.0) * 1e6) as i64;
            rows.sort_by_key(|row| Reverse((ticks(row), row.calls)));
            rows
        };
        let functions = found.into_iter().map(|id| {
            let costs = graph.function(id);
            let arcs = || graph.arcs().filter(|arc| arc.arc.count > 0);
            let callers = arcs().filter(|arc| arc.arc.callee == id);
            let callees = arcs().filter(|arc| arc.arc.caller == id);
            Lines {
                name: readable(id),
                own: costs.time,
                total: costs.time + costs.child_time,
                calls: costs.all_calls(),
                callers: sorted(callers.map(|arc| row(arc.arc.caller, &arc)).collect()),
                callees: sorted(callees.map(|arc| row(arc.arc.callee, &arc)).collect()),
            }
        });
        let records = measurement.records();
        let rate = records.histograms().sampling().map_or(0, |it| it.rate);
        let why = records.has_samples().then_some(why);
        Ok(Self { functions: functions.collect(), rate, why })
    }

    fn time(&self, ticks: f64) -> String {
        format!("{:.2}", if self.rate == 0 { 0.0 } else { ticks / f64::from(self.rate) })
    }
}

impl Display for Apportioned {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let bold = Style::new().bold();
        for function in &self.functions {
            writeln!(f, "{bold}{}{bold:#}", function.name)?;
            let (total, own) = (self.time(function.total), self.time(function.own));
            let calls = counted(function.calls, "call");
            writeln!(f, "{total} seconds, {own} of them in itself; {calls}")?;
            for (title, rows) in [("callers", &function.callers), ("callees", &function.callees)] {
                if rows.is_empty() {
                    continue;
                }
                writeln!(f, "\n{bold}{:>10} {:>15}  {title}{bold:#}", "total", "calls")?;
                for row in rows {
                    let time = row.time.map_or("-".to_owned(), |ticks| self.time(ticks));
                    writeln!(f, "{time:>10} {:>15}  {}", grouped(row.calls), row.name)?;
                }
            }
            writeln!(f)?;
        }
        let Some(why) = &self.why else { return writeln!(f, "total: not known; {UNSAMPLED}") };
        writeln!(f, "total: a guess, divided among callers by calls; {why}")?;
        writeln!(
            f,
            "gmon run measures it, and so does GMON_OPTIONS=stacks: run the program again with either"
        )
    }
}
