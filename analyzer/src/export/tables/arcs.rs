//! Calls, by caller, callee and line.

use gmon_format::hooks::EXTERNAL_CALLER;

use super::{ModelTable, part, path};
use crate::export::words::EXTERNAL_MODULE;
use crate::model::{Arc, Model};
use crate::table::{Cell, Column, Placing, Row, Unit};

pub(super) const TABLE: ModelTable = ModelTable {
    name: "arcs",
    columns: &[
        Column::text("caller", Placing::Left),
        Column::text("caller_module", Placing::Left),
        Column::text("function", Placing::Left),
        Column::text("module", Placing::Left),
        Column::text("file", Placing::Left),
        Column::number("line", Unit::None, 0),
        Column::number("calls", Unit::Count, 0),
        Column::number("total", Unit::Time, 0),
        Column::text("inclusive", Placing::Nowhere),
    ],
    rows: |model, view| {
        let cost = |arc: &&Arc| (arc.total_ns.unwrap_or(0), arc.calls.unwrap_or(0));
        let list = part(model, view, model.arcs.iter().collect(), cost);
        list.into_iter().map(|arc| row(model, arc)).collect()
    },
};

fn row(model: &Model, arc: &Arc) -> Row {
    let callee = &model.functions[arc.callee.index()];
    let caller = arc.caller.map(|id| &model.functions[id.index()]);
    Row::of(vec![
        Cell::text(caller.map_or(EXTERNAL_CALLER, |caller| &caller.display)),
        Cell::text(caller.map_or(EXTERNAL_MODULE, |caller| model.module_name(caller))),
        Cell::text(&callee.display),
        Cell::text(model.module_name(callee)),
        path(model, arc.file),
        Cell::known(arc.line),
        Cell::known(arc.calls),
        Cell::known(arc.total_ns),
        Cell::text(model.sampling.inclusive.word()),
    ])
}
