//! Times of calls by function: number, sum and mean, and the times that half of the calls, or nearly all, did not exceed.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

use gmon_analyzer::model::{CallTimes, FunctionId};
use gmon_analyzer::numbers;
use gmon_analyzer::records::{Figure, Times};
use gmon_analyzer::table::{Cell, Column, Placing, Row, Table, Unit};

use super::Measured;
use crate::report::sheet::Sheet;
use crate::report::subject::{FUNCTION, more_functions};
use crate::text::{counted, harmless};

/// Writes the table.
pub(super) fn write(measured: &Measured<'_>, by_thread: bool, f: &mut Sheet) -> fmt::Result {
    let mut functions = measured.model().times_by_function();
    functions.sort_by_key(|(_, times)| Reverse(times.total_ns));
    measured.head(f)?;
    writeln!(f)?;
    let mut table = Table::new(columns(by_thread));
    let threads = if by_thread { of_threads(measured) } else { Threads::new() };
    for (function, times) in functions.iter().take(measured.top) {
        let calls = Cell::or_dash(measured.subject.function(*function).calls);
        table.rows.push(Row::of(row(
            measured,
            *function,
            (calls, times),
            by_thread.then(String::new),
        )));
        let mut threads: Vec<_> = threads.get(function).into_iter().flatten().collect();
        threads.sort_by_key(|(_, times)| Reverse(times.total_ns));
        let left = threads.len().saturating_sub(measured.top);
        for (thread, times) in threads.into_iter().take(measured.top) {
            let calls = Cell::or_dash((!times.is_full).then(|| times.calls()));
            let name = Some(thread.clone());
            table.rows.push(Row::of(row(measured, *function, (calls, times), name)));
        }
        if left > 0 {
            table
                .rows
                .push(Row::remark(format!("... and {}", counted(left as u64, "more thread"))));
        }
    }
    if let Some(others) = functions.get(measured.top..).filter(|others| !others.is_empty()) {
        let total =
            others.iter().fold(0, |sum: u64, (_, times)| sum.saturating_add(times.total_ns));
        let mut cells = vec![Cell::dash(); 8];
        cells[1] = seconds(total);
        cells.extend(more_functions(others.len()));
        cells.extend(by_thread.then_some(Cell::Unknown));
        table.rows.push(Row::Rest(cells));
    }
    f.table(table);
    writeln!(
        f,
        "each call by the clock on the wall, with all that it called; p90: 90 % took no longer, within 3 %"
    )?;
    let listed = || functions.iter().take(measured.top);
    for (function, times) in listed().filter(|(_, times)| times.without_end > 0) {
        let calls = counted(times.without_end, "call");
        let name = measured.subject.readable(measured.subject.function(*function));
        writeln!(
            f,
            "not timed: {calls} of {name}, which exceptions or longjmp left, or that had not ended"
        )?;
    }
    for (function, times) in listed().filter(|(_, times)| times.every > 1) {
        let name = measured.subject.readable(measured.subject.function(*function));
        writeln!(
            f,
            "{name}: up to {} calls stand for one that was timed, so that it cost little",
            times.every
        )?;
    }
    for (function, _) in listed().filter(|(_, times)| times.is_full) {
        let name = measured.subject.readable(measured.subject.function(*function));
        writeln!(
            f,
            "{name}: more calls than a histogram counts; only the sum and the longest are known"
        )?;
    }
    Ok(())
}

fn columns(by_thread: bool) -> Vec<Column> {
    let first = [Column::number("calls", Unit::Count, 11), Column::number("total", Unit::Time, 8)];
    let figures = Figure::ALL.map(|it| Column::number(it.key(), Unit::Time, 7).headed(it.name()));
    let thread = by_thread.then(|| Column::text("thread", Placing::Under("in ")).headed("in"));
    [&first[..], &figures, FUNCTION, thread.as_slice()].concat()
}

/// Times by function and thread, of which those with one name are one.
type Threads = BTreeMap<FunctionId, BTreeMap<String, Times>>;

fn of_threads(measured: &Measured<'_>) -> Threads {
    let model = measured.model();
    let mut threads = Threads::new();
    for CallTimes { function, thread, times } in &model.call_times {
        let thread = thread.and_then(|thread| model.threads.get(thread.index()));
        let name = thread.map(|thread| harmless(&thread.name).into_owned());
        let name = name.unwrap_or_else(|| "[ended threads]".to_owned());
        let of_function = threads.entry(*function).or_default();
        of_function.entry(name).or_default().absorb(times);
    }
    threads
}

/// The cells of a function, or of its calls in threads of a name.
fn row(
    measured: &Measured<'_>,
    function: FunctionId,
    (calls, times): (Cell, &Times),
    thread: Option<String>,
) -> Vec<Cell> {
    let figures = Figure::ALL.map(|it| duration(it.of(times)));
    let first = [calls, seconds(times.total_ns)];
    let thread = thread.map(|name| Cell::text(&name));
    [&first[..], &figures, &measured.named(function), thread.as_slice()].concat()
}

/// A sum of times.
fn seconds(ns: u64) -> Cell {
    Cell::Said(Some(ns as f64), format!("{:.3}", ns as f64 / 1e9))
}

/// The time of a call.
fn duration(ns: Option<u64>) -> Cell {
    ns.map_or_else(Cell::dash, |ns| Cell::Said(Some(ns as f64), numbers::duration(ns as f64 / 1e9)))
}
