//! Source lines: their executions and times.

use super::{ModelTable, part, path};
use crate::model::{Line, Model};
use crate::table::{Cell, Column, Placing, Row, Unit};

pub(super) const TABLE: ModelTable = ModelTable {
    name: "lines",
    columns: &[
        Column::text("file", Placing::Left),
        Column::number("line", Unit::None, 0),
        Column::number("executions", Unit::Count, 0),
        Column::number("samples", Unit::Count, 0),
        Column::number("self", Unit::Time, 0),
    ],
    rows: |model, view| {
        let cost = |line: &&Line| (model.sampling.time(line.samples), line.executions.unwrap_or(0));
        let list = part(model, view, model.lines.iter().collect(), cost);
        list.into_iter().map(|line| row(model, line)).collect()
    },
};

fn row(model: &Model, line: &Line) -> Row {
    Row::of(vec![
        path(model, Some(line.file)),
        Cell::Number(line.line.into()),
        Cell::known(line.executions),
        Cell::Number(line.samples),
        Cell::Number(model.sampling.time(line.samples)),
    ])
}
