//! Tables in GitHub's Markdown: for summaries of jobs and comments on changes.

use std::io::{self, Write};

use super::{Cell, Column, Placing, Row, Table};
use crate::harmless::is_harmful;

pub(super) fn write(tables: &[Table], out: &mut dyn Write) -> io::Result<()> {
    for (number, table) in tables.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        if !table.title.is_empty() {
            writeln!(out, "**{}**\n", markdown_text(&table.title))?;
        }
        let shown = shown(&table.columns);
        let heading = |&at: &usize| format!(" {} |", table.heading(&table.columns[at]));
        let rule = |&at: &usize| match table.columns[at].place {
            Placing::Right => "---:|",
            _ => "---|",
        };
        writeln!(out, "|{}", shown.iter().map(heading).collect::<String>())?;
        writeln!(out, "|{}", shown.iter().map(rule).collect::<String>())?;
        for row in &table.rows {
            match row {
                Row::Cells { cells, .. } | Row::Rest(cells) => {
                    let is_rest = matches!(row, Row::Rest(_));
                    let cell = |&at: &usize| match cell(table, cells, at, is_rest) {
                        text if text.is_empty() => " |".to_owned(),
                        text => format!(" {text} |"),
                    };
                    writeln!(out, "|{}", shown.iter().map(cell).collect::<String>())?;
                }
                // A line of its own would end the table.
                Row::Remark { text, .. } => {
                    let before = "|".repeat(shown.len());
                    writeln!(out, "{before} {} |", markdown_text(text))?;
                }
            }
        }
    }
    Ok(())
}

/// The columns that people see, by their positions; the one that gives way stands behind numbers here as well.
fn shown(columns: &[Column]) -> Vec<usize> {
    let at = |is_shown: fn(&Column) -> bool| {
        (0..columns.len()).filter(move |&at| is_shown(&columns[at]))
    };
    let last = at(|column| column.place == Placing::Last);
    let under = at(|column| matches!(column.place, Placing::Under(_)));
    at(Column::is_own).chain(last).chain(under).collect()
}

/// A value, and, in the last column, those that stand behind it. What stands for other rows has no name.
fn cell(table: &Table, cells: &[Cell], at: usize, is_rest: bool) -> String {
    let column = &table.columns[at];
    let words = table.words(cells, at);
    let mut text = match cells[at] {
        _ if words.is_empty() => String::new(),
        Cell::Text(_) if column.place == Placing::Right => markdown_text(&words),
        Cell::Text(_) => markdown_code(&words),
        _ if is_rest && cells[at].is_name() => markdown_text(&words),
        // Blanks at the start of a cell are nothing.
        Cell::Branch(depth, _) => "&nbsp;".repeat(2 * depth) + &markdown_code(&words),
        _ if cells[at].is_name() => markdown_code(&words),
        // Numbers and words about them.
        _ => words,
    };
    if column.place == Placing::Last {
        for (at, column) in table.columns.iter().enumerate() {
            let (Placing::Behind(before, after) | Placing::Spare(before, after)) = column.place
            else {
                continue;
            };
            let words = table.words(cells, at);
            if !words.is_empty() {
                text.push_str(&markdown_text(&format!(" {before}{words}{after}")));
            }
        }
    }
    text
}

/// A name as code. A bar would end its cell even there, and a backquote the code.
#[must_use]
pub fn markdown_code(name: &str) -> String {
    let name = name.replace('|', "\\|").replace(is_harmful, " ");
    let longest = name.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    match longest {
        0 => format!("`{name}`"),
        ticks => {
            let fence = "`".repeat(ticks + 1);
            format!("{fence} {name} {fence}")
        }
    }
}

/// A name as text.
#[must_use]
pub fn markdown_text(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            c if is_harmful(c) => text.push(' '),
            c if c.is_ascii_punctuation() && !matches!(c, '.' | ',' | '/' | '-') => {
                text.extend(['\\', c])
            }
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::markdown_code;

    #[test]
    fn names_stay_in_their_cells() {
        for (name, text) in [
            ("main", "`main`"),
            ("operator|(A, B)", "`operator\\|(A, B)`"),
            ("a`b", "`` a`b ``"),
            ("a``b", "``` a``b ```"),
            ("<b>", "`<b>`"),
        ] {
            assert_eq!(markdown_code(name), text);
        }
    }
}
