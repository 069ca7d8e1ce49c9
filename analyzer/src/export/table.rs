//! The tables of a profile, which several formats write: their columns and rows.

use super::format::{Table, View};
use crate::model::{Arc, Function, Line, Model};

/// A value of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// A name or a path.
    Text(String),
    /// A count, or a time in nanoseconds.
    Number(u64),
    /// Nothing is known.
    Unknown,
}

/// The names of the columns.
pub(super) fn columns(table: Table) -> &'static [&'static str] {
    match table {
        Table::Functions => &[
            "function",
            "module",
            "file",
            "line",
            "calls",
            "samples",
            "self_ns",
            "total_ns",
            "inclusive",
        ],
        Table::Arcs => &[
            "caller",
            "caller_module",
            "function",
            "module",
            "file",
            "line",
            "calls",
            "total_ns",
            "inclusive",
        ],
        Table::Lines => &["file", "line", "executions", "samples", "self_ns"],
    }
}

/// The rows: all in the order of the profile or, if the user wants a part, those that cost the most, first.
pub(super) fn rows(model: &Model, view: &View) -> Vec<Vec<Cell>> {
    match view.table {
        Table::Functions => {
            let list = functions(model, view, None);
            list.into_iter().map(|function| of_function(model, function)).collect()
        }
        Table::Arcs => {
            let cost = |arc: &&Arc| (arc.total_ns.unwrap_or(0), arc.calls.unwrap_or(0));
            let list = part(model, view, None, model.arcs.iter().collect(), cost);
            list.into_iter().map(|arc| of_arc(model, arc)).collect()
        }
        Table::Lines => {
            let time =
                |line: &&Line| (model.sampling.time(line.samples), line.executions.unwrap_or(0));
            let list = part(model, view, None, model.lines.iter().collect(), time);
            list.into_iter().map(|line| of_line(model, line)).collect()
        }
    }
}

/// Functions: all, or those that took the most time themselves, or were called most often.
pub(super) fn functions<'m>(
    model: &'m Model,
    view: &View,
    top: Option<usize>,
) -> Vec<&'m Function> {
    let cost = |function: &&Function| (function.self_ns, function.calls.unwrap_or(0));
    part(model, view, top, model.functions.iter().collect(), cost)
}

/// What of a list the user wants; at most `top`, unless it is said how much. A cost is a time and a count.
fn part<T: Copy>(
    model: &Model,
    view: &View,
    top: Option<usize>,
    mut list: Vec<T>,
    cost: impl Fn(&T) -> (u64, u64),
) -> Vec<T> {
    let top = view.top.or(top);
    if let Some(least) = view.min_share {
        let sampling = &model.sampling;
        let all = (sampling.time(sampling.samples) as f64, model.calls() as f64);
        list.retain(|item| {
            let (time, count) = cost(item);
            let share =
                if all.0 > 0.0 { time as f64 / all.0 } else { count as f64 / all.1.max(1.0) };
            share >= least
        });
    }
    if top.is_some() || view.min_share.is_some() {
        list.sort_by_key(|item| std::cmp::Reverse(cost(item)));
        list.truncate(top.unwrap_or(usize::MAX));
    }
    list
}

fn text(text: &str) -> Cell {
    Cell::Text(text.to_owned())
}

fn known<T: Into<u64>>(number: Option<T>) -> Cell {
    number.map_or(Cell::Unknown, |number| Cell::Number(number.into()))
}

fn path(model: &Model, file: Option<u32>) -> Cell {
    model.path(file).map_or(Cell::Unknown, text)
}

fn of_function(model: &Model, function: &Function) -> Vec<Cell> {
    vec![
        text(&function.display),
        text(model.module_name(function)),
        path(model, function.file),
        known(function.line),
        known(function.calls),
        Cell::Number(function.samples),
        Cell::Number(function.self_ns),
        Cell::Number(function.total_ns),
        text(model.sampling.inclusive.word()),
    ]
}

fn of_arc(model: &Model, arc: &Arc) -> Vec<Cell> {
    let callee = &model.functions[arc.callee as usize];
    let caller = arc.caller.map(|id| &model.functions[id as usize]);
    vec![
        text(caller.map_or("__external_caller", |caller| &caller.display)),
        text(caller.map_or("[external]", |caller| model.module_name(caller))),
        text(&callee.display),
        text(model.module_name(callee)),
        path(model, arc.file),
        known(arc.line),
        known(arc.calls),
        known(arc.total_ns),
        text(model.sampling.inclusive.word()),
    ]
}

fn of_line(model: &Model, line: &Line) -> Vec<Cell> {
    vec![
        path(model, Some(line.file)),
        Cell::Number(line.line.into()),
        known(line.executions),
        Cell::Number(line.samples),
        Cell::Number(model.sampling.time(line.samples)),
    ]
}
