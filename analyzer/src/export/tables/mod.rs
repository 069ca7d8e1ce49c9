//! The tables of a profile: a file and a row of [`TABLES`] for each. All of them can be had in every format of tables.

mod arcs;
mod functions;
mod lines;
mod people;
mod separated;

use std::cmp::Reverse;

use super::format::View;
use super::words::share;
use crate::model::{FileId, Model};
use crate::numbers::places;
use crate::table::{Cell, Column, Row, Table};

pub(super) use people::{MARKDOWN, TEXT};
pub(super) use separated::{CSV, TSV};

/// A table that every profile has.
#[derive(Clone, Copy, Debug)]
pub struct ModelTable {
    /// The word that chooses it.
    pub name: &'static str,
    /// Its columns.
    pub columns: &'static [Column],
    /// Makes its rows: all in the order of the profile or, if the user wants a part, those that cost the most, first.
    pub rows: fn(&Model, &View) -> Vec<Row>,
}

/// All tables. The first is written unless the user chooses.
pub const TABLES: &[ModelTable] = &[functions::TABLE, arcs::TABLE, lines::TABLE];

/// The table that the user chose.
pub(super) fn table(model: &Model, view: &View) -> Table {
    let ModelTable { columns, rows, .. } = view.table.unwrap_or(&TABLES[0]);
    let places = places(model.sampling.rate_hz);
    Table { rows: rows(model, view), places, ..Table::new(*columns) }
}

/// The part of a list that the user wants. A cost is a time and a count.
fn part<T: Copy>(
    model: &Model,
    view: &View,
    mut list: Vec<T>,
    cost: impl Fn(&T) -> (u64, u64),
) -> Vec<T> {
    if let Some(least) = view.min_share {
        list.retain(|item| {
            let (time, count) = cost(item);
            share(model, time, Some(count)) >= least
        });
    }
    if view.top.is_some() || view.min_share.is_some() {
        list.sort_by_cached_key(|item| Reverse(cost(item)));
        list.truncate(view.top.unwrap_or(usize::MAX));
    }
    list
}

fn path(model: &Model, file: Option<FileId>) -> Cell {
    model.path(file).map_or(Cell::Unknown, Cell::text)
}
