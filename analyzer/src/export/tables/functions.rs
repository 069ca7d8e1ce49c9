//! Functions: their calls and times.

use super::{ModelTable, part, path};
use crate::export::format::View;
use crate::export::words::{share, share_of_all};
use crate::model::{Function, Kind, Model};
use crate::table::{Cell, Column, Placing, Row, Unit};

pub(super) const TABLE: ModelTable = ModelTable {
    name: "functions",
    columns: &[
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
    ],
    rows: |model, view| functions(model, view).into_iter().map(|it| row(model, it)).collect(),
};

/// Functions: all, or those of the program that took the most time themselves, or were called most often.
fn functions<'m>(model: &'m Model, view: &View) -> Vec<&'m Function> {
    let mut list: Vec<&Function> = model.functions.iter().collect();
    if view.top.is_some() || view.min_share.is_some() {
        list.retain(|function| function.kind != Kind::Hooks);
    }
    part(model, view, list, |function| (function.self_ns, function.calls.unwrap_or(0)))
}

fn row(model: &Model, function: &Function) -> Row {
    // Without samples people see the share of all calls.
    let share = match function.kind {
        Kind::Hooks => share_of_all(model, function.self_ns),
        _ => share(model, function.self_ns, function.calls),
    };
    let percent = 100.0 * share;
    Row::of(vec![
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
    ])
}
