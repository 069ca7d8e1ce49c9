//! The tables of a comparison: functions whose time changed, functions that were called differently, and times of calls.

use gmon_analyzer::diff::{CallTimes, Counts, FunctionChange, Presence};
use gmon_analyzer::numbers::duration;
use gmon_analyzer::records::Figure;
use gmon_analyzer::table::{Cell, Column, Placing, Row, Table, Unit};

use super::Compared;
use super::words::{calls, library, percent, probability};
use crate::text::grouped;

const TIMES: &[Column] = &[
    Column::text("function", Placing::Last),
    Column::text("module", Placing::Behind("[", "]")),
    Column::text("in", Placing::Behind("(only in ", ")")),
    Column::number("base", Unit::Time, 9),
    Column::number("new", Unit::Time, 9),
    Column::number("change", Unit::Time, 9),
    Column::number("half_interval", Unit::Time, 7).headed("±"),
    Column::number("change", Unit::Percent, 7).headed("%"),
    Column::number("q", Unit::None, 7),
];

const CALLS: &[Column] = &[
    Column::text("function", Placing::Last).headed("calls of"),
    Column::text("module", Placing::Behind("[", "]")),
    Column::text("in", Placing::Behind("(only in ", ")")),
    Column::text("caller", Placing::Under("by ")).headed("by"),
    Column::number("base", Unit::Count, 16),
    Column::number("new", Unit::Count, 16),
    Column::number("change", Unit::Count, 13),
];

const CALL_TIMES: &[Column] = &[
    Column::text("function", Placing::Last).headed("mean time of a call of"),
    Column::text("module", Placing::Behind("[", "]")),
    Column::text("in", Placing::Behind("(only in ", ")")),
    Column::text("figure", Placing::Under("")),
    Column::number("base", Unit::Time, 9),
    Column::number("new", Unit::Time, 9),
    Column::number("change", Unit::Percent, 7).headed("%"),
    Column::number("longer", Unit::Percent, 8).headed("longer"),
    Column::number("q", Unit::None, 7),
];

/// All tables, each with at most `top` rows, and with as many callers of a function.
pub(super) fn tables(compared: &Compared, top: usize) -> Vec<Table> {
    let mut tables = vec![times(compared, top), call_counts(compared, top)];
    tables.extend(call_times(compared, top));
    tables
}

/// The tables that have rows, for people.
pub(super) fn shown(compared: &Compared, top: usize) -> Vec<Table> {
    tables(compared, top).into_iter().filter(|table| !table.rows.is_empty()).collect()
}

fn times(compared: &Compared, top: usize) -> Table {
    let mut table = Table::new(TIMES);
    table.places = compared.places();
    let changed = compared.slower_or_faster();
    for function in changed.iter().take(top).map(|&at| &compared.comparison.functions[at]) {
        let times = &function.own;
        let [base, new] = times.per_run_ns.map(Cell::Real);
        let [low, high] = times.interval_ns;
        let ratio = times.ratio().map(|ratio| 100.0 * (ratio - 1.0));
        let q = times.q.unwrap_or(1.0);
        let numbers = [
            base,
            new,
            Cell::Change(times.delta_ns),
            Cell::Real((high - low) / 2.0),
            Cell::Said(ratio, percent(times)),
            Cell::Said(Some(q), probability(q)),
        ];
        table.rows.push(Row::of(name(function).into_iter().chain(numbers).collect()));
    }
    more(&mut table, changed.len(), top);
    table
}

fn call_counts(compared: &Compared, top: usize) -> Table {
    let mut table = Table::new(CALLS);
    let changed = compared.calls();
    let comparison = &compared.comparison;
    for (function, arcs) in changed.iter().take(top) {
        let function = &comparison.functions[*function];
        let mut row = |caller, counts| {
            let cells = name(function).into_iter().chain([caller]).chain(numbers(counts));
            table.rows.push(Row::of(cells.collect()));
        };
        if let Some(counts) = &function.calls {
            row(Cell::Unknown, counts);
        }
        for arc in arcs.iter().take(top).map(|&at| &comparison.arcs[at]) {
            row(Cell::name(compared.caller(arc)), &arc.calls);
        }
        more(&mut table, arcs.len(), top);
    }
    more(&mut table, changed.len(), top);
    table
}

/// Figures of times of calls under the mean.
pub(super) const UNDER: [Figure; 3] = [Figure::P50, Figure::P99, Figure::Longest];

/// Times of calls, if any were taken: for each function the mean, and under it other figures.
fn call_times(compared: &Compared, top: usize) -> Option<Table> {
    let timed = compared.timed();
    let mut table = Table::new(CALL_TIMES);
    for times in timed.iter().take(top) {
        let function = &compared.comparison.functions[times.function as usize];
        let mut row = |figure: Figure, said: &str, rest: [Cell; 2]| {
            let cells = name(function).into_iter().chain([Cell::text(said)]);
            table.rows.push(Row::of(cells.chain(figures(times, figure)).chain(rest).collect()));
        };
        let longer = times.longer.map(|part| 100.0 * part);
        let longer =
            longer.map_or_else(Cell::dash, |it| Cell::Said(Some(it), format!("{it:.1} %")));
        let q = times.q.map_or_else(Cell::dash, |q| Cell::Said(Some(q), probability(q)));
        row(Figure::Mean, "", [longer, q]);
        for figure in UNDER {
            row(figure, figure.name(), [Cell::Unknown, Cell::Unknown]);
        }
    }
    more(&mut table, timed.len(), top);
    (!timed.is_empty()).then_some(table)
}

/// A figure of both sides, and the change in percent.
fn figures(times: &CallTimes, figure: Figure) -> [Cell; 3] {
    let sides = times.figure(figure).map(|ns| ns.map(|ns| ns as f64));
    let [base, new] =
        sides.map(|ns| ns.map_or_else(Cell::dash, |ns| Cell::Said(Some(ns), duration(ns / 1e9))));
    let change = match sides {
        [Some(base), Some(new)] if base > 0.0 => {
            let percent = 100.0 * (new / base - 1.0);
            Cell::Said(Some(percent), format!("{percent:+.1}"))
        }
        _ => Cell::dash(),
    };
    [base, new, change]
}

/// A function, and what must be known of where it is.
fn name(function: &FunctionChange) -> [Cell; 3] {
    let only = match function.presence {
        Presence::Both => "",
        Presence::OnlyBase => "base",
        Presence::OnlyNew => "new",
    };
    [Cell::name(&function.display), Cell::text(library(function)), Cell::text(only)]
}

/// Counts of a run of each side, and the change.
fn numbers(counts: &Counts) -> [Cell; 3] {
    let [base, new] = counts.per_run();
    let [base_words, new_words, change_words] = calls(counts);
    let side = |runs: &[u64], number, words| match *runs {
        [] => Cell::Said(None, words),
        [first, ref rest @ ..] if rest.iter().all(|it| *it == first) => {
            Cell::Exact(first.into(), words)
        }
        _ => Cell::Said(Some(number), words),
    };
    [
        side(&counts.base, base, base_words),
        side(&counts.new, new, new_words),
        match counts.difference() {
            Some(difference) => Cell::Exact(difference, change_words),
            None => Cell::Said(counts.are_known().then_some(new - base), change_words),
        },
    ]
}

/// Says what is left of a table.
fn more(table: &mut Table, rows: usize, top: usize) {
    if let Some(more @ 1..) = rows.checked_sub(top) {
        let more = grouped(more as u64);
        table.rows.push(Row::remark(format!("... and {more} more; --top N shows N")));
    }
}
