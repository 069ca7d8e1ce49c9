//! The tables of a profile: their columns and rows.

use gmon_format::hooks::EXTERNAL_CALLER;

use super::format::{Table as Chosen, View};
use super::words::{EXTERNAL_MODULE, share};
use crate::model::{Arc, FileId, Function, Kind, Line, Model};
use crate::numbers::places;
use crate::table::{Cell, Column, Placing, Row, Table, Unit};

const FUNCTIONS: &[Column] = &[
    Column::text("function", Placing::Last),
    Column::text("module", Placing::Nowhere),
    Column::text("file", Placing::Nowhere),
    Column::text("line", Placing::Nowhere),
    Column::number("calls", Unit::Count, 0),
    Column::number("samples", Unit::Count, 0).hidden(),
    Column::number("self", Unit::Time, 0),
    Column::number("total", Unit::Time, 0),
    Column::text("inclusive", Placing::Nowhere),
    Column::number("self", Unit::Percent, 0).headed("%"),
];

const ARCS: &[Column] = &[
    Column::text("caller", Placing::Left),
    Column::text("caller_module", Placing::Left),
    Column::text("function", Placing::Left),
    Column::text("module", Placing::Left),
    Column::text("file", Placing::Left),
    Column::number("line", Unit::None, 0),
    Column::number("calls", Unit::Count, 0),
    Column::number("total", Unit::Time, 0),
    Column::text("inclusive", Placing::Nowhere),
];

const LINES: &[Column] = &[
    Column::text("file", Placing::Left),
    Column::number("line", Unit::None, 0),
    Column::number("executions", Unit::Count, 0),
    Column::number("samples", Unit::Count, 0),
    Column::number("self", Unit::Time, 0),
];

/// The table that the user chose, with all rows in the order of the profile or, if the user wants a part, those that cost
/// the most, first.
pub(super) fn table(model: &Model, view: &View) -> Table {
    let (columns, rows): (_, Vec<Row>) = match view.table {
        Chosen::Functions => {
            let list = functions(model, view, None);
            (FUNCTIONS, list.into_iter().map(|it| of_function(model, it).into()).collect())
        }
        Chosen::Arcs => {
            let cost = |arc: &&Arc| (arc.total_ns.unwrap_or(0), arc.calls.unwrap_or(0));
            let list = part(model, view, None, model.arcs.iter().collect(), cost);
            (ARCS, list.into_iter().map(|it| of_arc(model, it).into()).collect())
        }
        Chosen::Lines => {
            let time =
                |line: &&Line| (model.sampling.time(line.samples), line.executions.unwrap_or(0));
            let list = part(model, view, None, model.lines.iter().collect(), time);
            (LINES, list.into_iter().map(|it| of_line(model, it).into()).collect())
        }
    };
    Table { rows, places: places(model.sampling.rate_hz), ..Table::new(columns) }
}

/// Functions: all, or those of the program that took the most time themselves, or were called most often.
pub(super) fn functions<'m>(
    model: &'m Model,
    view: &View,
    top: Option<usize>,
) -> Vec<&'m Function> {
    let cost = |function: &&Function| (function.self_ns, function.calls.unwrap_or(0));
    let mut list: Vec<&Function> = model.functions.iter().collect();
    if view.top.or(top).is_some() || view.min_share.is_some() {
        list.retain(|function| function.kind != Kind::Hooks);
    }
    part(model, view, top, list, cost)
}

/// Part of a list that the user wants; at most `top`, unless it is said how much. A cost is a time and a
/// count.
fn part<T: Copy>(
    model: &Model,
    view: &View,
    top: Option<usize>,
    mut list: Vec<T>,
    cost: impl Fn(&T) -> (u64, u64),
) -> Vec<T> {
    let top = view.top.or(top);
    if let Some(least) = view.min_share {
        list.retain(|item| {
            let (time, count) = cost(item);
            share(model, time, Some(count)) >= least
        });
    }
    if top.is_some() || view.min_share.is_some() {
        list.sort_by_key(|item| std::cmp::Reverse(cost(item)));
        list.truncate(top.unwrap_or(usize::MAX));
    }
    list
}

fn path(model: &Model, file: Option<FileId>) -> Cell {
    model.path(file).map_or(Cell::Unknown, Cell::text)
}

fn of_function(model: &Model, function: &Function) -> Vec<Cell> {
    // Without samples people see the share of all calls.
    let percent = 100.0 * share(model, function.self_ns, function.calls);
    vec![
        Cell::name(&function.display),
        Cell::text(model.module_name(function)),
        path(model, function.file),
        Cell::known(function.line),
        Cell::known(function.calls),
        Cell::Number(function.samples),
        Cell::Number(function.self_ns),
        Cell::Number(function.total_ns),
        Cell::text(model.sampling.inclusive.word()),
        Cell::Said((model.sampling.samples > 0).then_some(percent), format!("{percent:.1}")),
    ]
}

fn of_arc(model: &Model, arc: &Arc) -> Vec<Cell> {
    let callee = &model.functions[arc.callee.index()];
    let caller = arc.caller.map(|id| &model.functions[id.index()]);
    vec![
        Cell::text(caller.map_or(EXTERNAL_CALLER, |caller| &caller.display)),
        Cell::text(caller.map_or(EXTERNAL_MODULE, |caller| model.module_name(caller))),
        Cell::text(&callee.display),
        Cell::text(model.module_name(callee)),
        path(model, arc.file),
        Cell::known(arc.line),
        Cell::known(arc.calls),
        Cell::known(arc.total_ns),
        Cell::text(model.sampling.inclusive.word()),
    ]
}

fn of_line(model: &Model, line: &Line) -> Vec<Cell> {
    vec![
        path(model, Some(line.file)),
        Cell::Number(line.line.into()),
        Cell::known(line.executions),
        Cell::Number(line.samples),
        Cell::Number(model.sampling.time(line.samples)),
    ]
}
