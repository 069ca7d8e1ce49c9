//! Contents of a report: text for people, and tables between it that can be had in other formats.

use std::fmt;

use gmon_analyzer::table::{Table, TableFormat};

/// Text and tables, in order.
#[derive(Default)]
pub(crate) struct Sheet {
    pieces: Vec<Piece>,
}

enum Piece {
    Text(String),
    Table(Table),
}

impl Sheet {
    /// A sheet with all that `write` writes.
    pub(super) fn of(write: impl FnOnce(&mut Self) -> fmt::Result) -> Self {
        let mut sheet = Self::default();
        write(&mut sheet).expect("memory takes everything");
        sheet
    }

    /// Adds a table.
    pub(super) fn table(&mut self, table: Table) {
        self.pieces.push(Piece::Table(table));
    }

    /// The whole as text, for a terminal of so many columns.
    pub(super) fn text(self, columns: Option<usize>) -> String {
        let pieces = self.pieces.into_iter().map(|piece| match piece {
            Piece::Text(text) => text,
            Piece::Table(table) => TableFormat::TEXT.written(&[table], columns),
        });
        pieces.collect()
    }

    /// The tables alone.
    pub(super) fn tables(self) -> impl Iterator<Item = Table> {
        self.pieces.into_iter().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Table(table) => Some(table),
        })
    }
}

impl fmt::Write for Sheet {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match self.pieces.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
        Ok(())
    }
}
