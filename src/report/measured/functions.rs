//! The functions that took the most time, in whatever module.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::{self, Formatter};

use anstyle::Style;
use gmon_analyzer::profile::FunctionId;
use gmon_analyzer::records::Looks;

use super::Measured;
use crate::text::{counted, grouped};

/// Calls of a function: all, and those by others.
#[derive(Clone, Copy, Debug, Default)]
struct Calls {
    all: u64,
    by_others: u64,
}

/// Calls of each function that were counted.
fn calls(measured: &Measured<'_>) -> HashMap<FunctionId, Calls> {
    let mut calls: HashMap<FunctionId, Calls> = HashMap::new();
    for ((caller, callee), count) in measured.contexts.all_calls() {
        let sum = calls.entry(callee).or_default();
        sum.all = sum.all.saturating_add(count);
        if caller != callee {
            sum.by_others = sum.by_others.saturating_add(count);
        }
    }
    calls
}

/// Writes the table.
pub(super) fn write(measured: &Measured<'_>, f: &mut Formatter<'_>) -> fmt::Result {
    let (costs, clock, bold) = (measured.costs, measured.clock, Style::new().bold());
    let calls = calls(measured);
    let mut functions: Vec<_> = measured.functions().collect();
    functions.sort_by_key(|&id| {
        let count = calls.get(&id).map_or(0, |calls| calls.all);
        (Reverse((costs.own(id).weight, costs.total(id).weight, count)), id)
    });
    measured.head(f)?;
    writeln!(
        f,
        "\n{bold}{:>9} {:>9} {:>7} {:>13} {:>9}  function{bold:#}",
        "self", "total", "±", "calls", "per call"
    )?;
    for &id in functions.iter().take(measured.top) {
        let amount = clock.amount(costs.total(id), costs.precision());
        let count = calls.get(&id).map_or("-".to_owned(), |calls| grouped(calls.all));
        let cells = format!(
            "{:>9} {:>9} {:>7} {count:>13} {:>9}  ",
            clock.time(costs.own(id).weight as f64),
            amount.time,
            amount.error,
            amount.per_call(calls.get(&id).map(|calls| calls.by_others)),
        );
        writeln!(f, "{cells}{}", measured.named(id, &cells))?;
    }
    let others = functions.get(measured.top..).unwrap_or_default();
    let sum: Looks = others.iter().map(|&id| costs.own(id)).sum();
    let mut place = |looks: Looks, what: &str| {
        let time = clock.time(looks.weight as f64);
        writeln!(f, "{time:>9} {:>9} {:>7} {:>13} {:>9}  {what}", "-", "", "-", "-")
    };
    if !others.is_empty() {
        let more = counted(others.len() as u64, "more function");
        place(sum, &format!("... and {more}"))?;
    }
    let known: Looks = functions.iter().map(|&id| costs.own(id)).sum();
    let mut unknown = costs.all();
    unknown -= known;
    for (looks, what) in [(unknown, "[unknown]"), (costs.overhead(), "[profiling hooks]")] {
        if looks.weight > 0 {
            place(looks, what)?;
        }
    }
    writeln!(f, "total: measured, with all that was called; ±: 95 of 100 runs agree")?;
    if functions.iter().take(measured.top).any(|id| !calls.contains_key(id)) {
        writeln!(f, "calls: counted in code compiled with -pg, unless it was inlined")?;
    }
    measured.foot(f)
}
