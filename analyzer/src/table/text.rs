//! Tables for people at a terminal: columns as wide as their values, and names that give way to the terminal's width.

use std::io::{self, Write};

use anstyle::Style;

use super::fitting::{fitted, fitted_name, indentation, left, width};
use super::{Cell, Column, Placing, Row, Table};
use crate::harmless::harmless;

/// Writes tables, whose styles are to be shown like this.
pub(super) fn write(
    shown: impl Fn(Style) -> Style,
    tables: &[Table],
    columns: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let bold = shown(Style::new().bold());
    for (number, table) in tables.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        if !table.title.is_empty() {
            writeln!(out, "{bold}{}{bold:#}", fitted(&harmless(&table.title), "", columns))?;
        }
        let layout = Layout::fitting(table, columns);
        writeln!(out, "{bold}{}{bold:#}", layout.heading())?;
        for row in &table.rows {
            match row {
                Row::Cells { cells, style } => {
                    let style = shown(*style);
                    writeln!(out, "{style}{}{style:#}", layout.row(cells, columns))?;
                }
                Row::Rest(cells) => writeln!(out, "{}", layout.row(cells, columns))?,
                Row::Remark { text, style } => {
                    let style = shown(*style);
                    writeln!(out, "{style}{}{style:#}", harmless(text))?;
                }
            }
        }
    }
    Ok(())
}

/// The columns of a table, and their widths.
struct Layout<'a> {
    table: &'a Table,
    /// Columns of their own by their positions, and how wide they are.
    own: Vec<(usize, usize)>,
    /// The position of the column at the end.
    last: Option<usize>,
}

/// The columns of a terminal that names should have.
const NAMES: usize = 24;

impl<'a> Layout<'a> {
    /// As narrow as names need it: without room for larger numbers, and without columns that know nothing.
    fn fitting(table: &'a Table, columns: Option<usize>) -> Self {
        let layout = Self::of(table, |column| column.width);
        let has_room = |layout: &Self| {
            left(columns, &layout.cells(|_| String::new())).is_none_or(|room| room >= NAMES)
        };
        if layout.last.is_none() || has_room(&layout) {
            return layout;
        }
        let mut narrow = Self::of(table, |_| 0);
        // Those that matter least stand last.
        for at in narrow.own.clone().into_iter().map(|(at, _)| at).rev() {
            if !has_room(&narrow) && table.values().all(|cells| !cells[at].is_known()) {
                narrow.own.retain(|(other, _)| *other != at);
            }
        }
        narrow
    }

    fn of(table: &'a Table, least: impl Fn(&Column) -> usize) -> Self {
        let own = table.columns.iter().enumerate().filter(|(_, column)| column.is_own());
        let widest = |(at, column): (usize, &Column)| {
            let cells = table.rows.iter().filter_map(|row| match row {
                Row::Cells { cells, .. } | Row::Rest(cells) => Some(cells),
                Row::Remark { .. } => None,
            });
            let cells = cells.map(|cells| width(&words(table, cells, at)));
            let widest = cells.max().unwrap_or(0);
            (at, widest.max(least(column)).max(width(&table.heading(column))))
        };
        let last = table.columns.iter().position(|column| column.place == Placing::Last);
        Self { table, own: own.map(widest).collect(), last }
    }

    fn heading(&self) -> String {
        let table = self.table;
        let mut line = self.cells(|at| table.heading(&table.columns[at]));
        if let Some(last) = self.last {
            line.push_str(&table.heading(&table.columns[last]));
        }
        line.truncate(line.trim_end().len());
        line
    }

    fn row(&self, cells: &[Cell], columns: Option<usize>) -> String {
        let table = self.table;
        let mut line = self.cells(|at| words(table, cells, at));
        if let Some(last) = self.last {
            let room = left(columns, &line);
            line.push_str(&self.last_cell(cells, last, room));
        }
        line.truncate(line.trim_end().len());
        line
    }

    /// All columns but the one at the end, padded.
    fn cells(&self, text: impl Fn(usize) -> String) -> String {
        let mut line = String::new();
        for (number, &(at, widest)) in self.own.iter().enumerate() {
            let is_left = self.table.columns[at].place == Placing::Left;
            line.push_str(match number {
                0 => "",
                _ if is_left => "  ",
                _ => " ",
            });
            let text = text(at);
            let padding = " ".repeat(widest.saturating_sub(width(&text)));
            let (before, behind) = if is_left { ("", &*padding) } else { (&*padding, "") };
            line.extend([before, &text, behind]);
        }
        if !line.is_empty() {
            line.push_str("  ");
        }
        line
    }

    /// The cell at the end with all that stands there, in so many columns.
    fn last_cell(&self, cells: &[Cell], last: usize, room: Option<usize>) -> String {
        let table = self.table;
        let forms = |forms: &[String]| -> Vec<String> {
            forms.iter().map(|form| harmless(form).into_owned()).collect()
        };
        let (mut behind, mut spare) = (String::new(), String::new());
        for (at, column) in table.columns.iter().enumerate() {
            let word = words(table, cells, at);
            match column.place {
                Placing::Behind(before, after) if !word.is_empty() => {
                    behind.extend([" ", before, &word, after]);
                }
                Placing::Spare(before, after) if !word.is_empty() => {
                    spare.extend([" ", before, &word, after]);
                }
                Placing::Under(before) if !word.is_empty() => {
                    let before = format!("  {before}");
                    let room = left(room, &before);
                    return match &cells[at] {
                        Cell::Name(names) => before + &fitted_name(&forms(names), "", room),
                        _ => before + &fitted(&word, "", room),
                    };
                }
                _ => {}
            }
        }
        let shortest = match &cells[last] {
            Cell::Name(names) => names.last().map_or(0, |name| width(name)),
            _ => width(&words(table, cells, last)),
        };
        let whole = shortest + width(&behind) + width(&spare);
        if room.is_none_or(|room| whole <= room) {
            behind += &spare;
        }
        match &cells[last] {
            Cell::Name(names) => fitted_name(&forms(names), &behind, room),
            Cell::Branch(depth, names) => {
                let indentation = indentation(*depth, room);
                let room = left(room, &indentation);
                format!("{indentation}{}", fitted_name(&forms(names), &behind, room))
            }
            _ => fitted(&words(table, cells, last), &behind, room),
        }
    }
}

fn words(table: &Table, cells: &[Cell], at: usize) -> String {
    harmless(&table.words(cells, at)).into_owned()
}
