//! Times of calls by function: number, sum and mean, and the times that half of the calls, or nearly all, did not exceed.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

use gmon_analyzer::model::{CallTimes, FunctionId, Model};
use gmon_analyzer::numbers;
use gmon_analyzer::records::{Figure, Times};
use gmon_analyzer::table::{Cell, Column, Placing, Row, Table, Unit};

use super::Measured;
use crate::report::part::Dimension;
use crate::report::sheet::Sheet;
use crate::report::subject::{FUNCTION, more_functions};
use crate::text::{counted, grouped, harmless};

/// Writes the table.
pub(super) fn write(measured: &Measured<'_>, by: Option<Dimension>, f: &mut Sheet) -> fmt::Result {
    let mut functions = measured.model().times_by_function();
    functions.sort_by_cached_key(|(_, times)| Reverse(times.total_ns));
    measured.head(f)?;
    writeln!(f)?;
    let mut table = Table::new(columns(by));
    let groups = by.map_or_else(Groups::new, |by| groups(measured, by));
    for (function, times) in functions.iter().take(measured.top) {
        let (of_all, calls) = (times, Cell::or_dash(measured.subject.function(*function).calls));
        table.rows.push(Row::of(row(
            measured,
            *function,
            (calls, times, Some(times.without_end)),
            by.map(|_| Cell::text("")),
        )));
        let mut groups: Vec<_> = groups.get(function).into_iter().flatten().collect();
        groups.sort_by_cached_key(|(_, times)| Reverse(times.total_ns));
        let left = groups.len().saturating_sub(measured.top);
        for (group, times) in groups.into_iter().take(measured.top) {
            let group = match group {
                Group::Caller(caller) => called_by(measured, *caller),
                Group::Named(name) => Cell::text(name),
            };
            // Threads choose which calls they time, whoever made these. Those without an end are not told apart by caller.
            let (chosen, without_end) = match by {
                Some(Dimension::Caller) => (of_all, None),
                _ => (times, Some(times.without_end)),
            };
            let calls = times.calls().saturating_add(without_end.unwrap_or(0));
            let calls = match about(chosen) {
                _ if times.is_full => Cell::dash(),
                "" => Cell::Number(calls),
                about => Cell::Said(None, format!("{about}{}", grouped(calls))),
            };
            let numbers = (calls, times, without_end);
            table.rows.push(Row::of(row(measured, *function, numbers, Some(group))));
        }
        if let (Some(by), 1..) = (by, left) {
            let more = counted(left as u64, &format!("more {}", by.word()));
            table.rows.push(Row::remark(format!("... and {more}")));
        }
    }
    if let Some(others) = functions.get(measured.top..).filter(|others| !others.is_empty()) {
        let total =
            others.iter().fold(0, |sum: u64, (_, times)| sum.saturating_add(times.total_ns));
        let mut cells = vec![Cell::dash(); columns(None).len() - FUNCTION.len()];
        cells[1] = seconds(total);
        cells.extend(more_functions(others.len()));
        cells.extend(by.map(|_| Cell::Unknown));
        table.rows.push(Row::Rest(cells));
    }
    f.table(table);
    let mut say = |sentence: &str| measured.subject.say(sentence, f);
    say(
        "each call by the clock on the wall, with all that it called; p90: 90 % took no longer, within 3 %",
    )?;
    let listed = || functions.iter().take(measured.top);
    for (function, times) in listed().filter(|(_, times)| times.without_end > 0) {
        let calls = counted(times.without_end, "call");
        let name = measured.subject.readable(measured.subject.function(*function));
        say(&format!(
            "not timed: {calls} of {name}, which exceptions, longjmp or tail calls left, or that had not ended"
        ))?;
    }
    for (function, times) in listed() {
        let function = measured.subject.function(*function);
        let calls = times.unknown_of(function.calls.unwrap_or(0));
        if calls > 0 {
            let calls = counted(calls, "call");
            let (about, name) = (about(times), measured.subject.readable(function));
            say(&format!(
                "not timed: {about}{calls} of {name}, for which times were off or could not be taken"
            ))?;
        }
    }
    for (function, times) in listed().filter(|(_, times)| times.every > 1) {
        let name = measured.subject.readable(measured.subject.function(*function));
        say(&format!(
            "{name}: up to {} calls stand for one that was timed, so that it cost little",
            times.every
        ))?;
    }
    if by.is_some() && listed().any(|(_, times)| !times.is_exact()) {
        say("≈: an estimate, by calls that stand for others")?;
    }
    for (function, _) in listed().filter(|(_, times)| times.is_full) {
        let name = measured.subject.readable(measured.subject.function(*function));
        say(&format!(
            "{name}: more calls than a histogram counts; only the sum and the longest are known"
        ))?;
    }
    Ok(())
}

fn columns(by: Option<Dimension>) -> Vec<Column> {
    let first = [Column::number("calls", Unit::Count, 11), Column::number("total", Unit::Time, 8)];
    let figures = Figure::ALL.map(|it| Column::number(it.key(), Unit::Time, 7).headed(it.name()));
    let group = by.map(|by| match by {
        Dimension::Caller => Column::text(by.word(), Placing::Under("by ")).headed("by"),
        _ => Column::text(by.word(), Placing::Under("in ")).headed("in"),
    });
    let numbers =
        ["timed", "stand_for", "without_end"].map(|it| Column::number(it, Unit::Count, 0).hidden());
    [&first[..], &figures, &numbers, FUNCTION, group.as_slice()].concat()
}

/// Calls of a function that belong together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    /// Calls by a function.
    Caller(FunctionId),
    /// Calls by others, or those in threads of one name.
    Named(String),
}

/// Times by function and group.
type Groups = BTreeMap<FunctionId, BTreeMap<Group, Times>>;

fn groups(measured: &Measured<'_>, by: Dimension) -> Groups {
    let mut groups = Groups::new();
    for of_calls in &measured.model().call_times {
        let group = match by {
            // Calls without an end are not told apart.
            Dimension::Caller if of_calls.times.timed == 0 => continue,
            Dimension::Caller => of_calls
                .caller
                .map_or_else(|| Group::Named("[other callers]".to_owned()), Group::Caller),
            _ => Group::Named(thread(measured.model(), of_calls)),
        };
        let of_function = groups.entry(of_calls.function).or_default();
        of_function.entry(group).or_default().absorb(&of_calls.times);
    }
    groups
}

/// The cell of a caller, with its module if that is not the program.
fn called_by(measured: &Measured<'_>, caller: FunctionId) -> Cell {
    let (names, module) = measured.subject.names(caller);
    let behind = module.map_or_else(String::new, |module| format!(" [{module}]"));
    Cell::Name(names.into_iter().map(|name| name + &behind).collect())
}

fn thread(model: &Model, of: &CallTimes) -> String {
    let thread = of.thread.and_then(|thread| model.threads.get(thread.index()));
    let name = thread.map(|thread| harmless(&thread.name).into_owned());
    name.unwrap_or_else(|| "[ended threads]".to_owned())
}

/// The sign before a number of calls that is an estimate.
fn about(times: &Times) -> &'static str {
    if times.is_exact() { "" } else { "≈" }
}

/// The cells of a function, or of its calls in a group.
fn row(
    measured: &Measured<'_>,
    function: FunctionId,
    (calls, times, without_end): (Cell, &Times, Option<u64>),
    group: Option<Cell>,
) -> Vec<Cell> {
    let figures = Figure::ALL.map(|it| duration(it.of(times)));
    let first = [calls, seconds(times.total_ns)];
    let stand_for = Cell::or_dash((!times.is_full).then(|| times.calls()));
    let numbers = [Cell::Number(times.timed), stand_for, Cell::or_dash(without_end)];
    [&first[..], &figures, &numbers, &measured.named(function), group.as_slice()].concat()
}

/// A sum of times.
fn seconds(ns: u64) -> Cell {
    Cell::Said(Some(ns as f64), format!("{:.3}", ns as f64 / 1e9))
}

/// The time of a call.
fn duration(ns: Option<u64>) -> Cell {
    ns.map_or_else(Cell::dash, |ns| Cell::Said(Some(ns as f64), numbers::duration(ns as f64 / 1e9)))
}
