//! The table of the callers or the callees of a function.

use std::fmt::{self, Write};

use gmon_analyzer::model::FunctionId;
use gmon_analyzer::table::{Cell, Column, Placing, Row, Table};

use super::sheet::Sheet;
use super::subject::{FUNCTION, Subject};

impl Subject<'_> {
    /// Writes `callers` or `callees`: a row for each, of figures in these columns and the cells of a name. Nothing without rows.
    pub(super) fn write_neighbours(
        &self,
        (of, relations): (FunctionId, &str),
        figures: &[Column],
        rows: impl IntoIterator<Item = [Vec<Cell>; 2]>,
        f: &mut Sheet,
    ) -> fmt::Result {
        let of = [
            Cell::text(&self.readable(self.function(of))),
            Cell::text(relations.trim_end_matches('s')),
        ];
        let head = ["of", "relation"].map(|title| Column::text(title, Placing::Nowhere));
        let mut table = Table::new([&head, figures, FUNCTION].concat());
        table.last = relations.to_owned();
        let rows = rows.into_iter();
        table.rows.extend(rows.map(|[cells, name]| Row::of([&of[..], &cells, &name].concat())));
        if table.rows.is_empty() {
            return Ok(());
        }
        writeln!(f)?;
        f.table(table);
        Ok(())
    }
}
