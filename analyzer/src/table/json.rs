//! Tables in JSON: `gmon-tables/1`. Each row is a line, and an object whose keys are the names of the columns.

use std::io::{self, Write};

use serde_json::{Value as Json, json};

use super::cell::Value;
use super::{Cell, Column, Table};

pub(super) fn write(tables: &[Table], out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"schema\":\"gmon-tables/1\",\"tables\":")?;
    write_list(tables, out)?;
    writeln!(out, "}}")
}

/// Writes a list of tables, as a part of this document or of another.
///
/// # Errors
///
/// The output cannot be written.
pub fn write_list(tables: &[Table], out: &mut dyn Write) -> io::Result<()> {
    write!(out, "[")?;
    for (number, table) in tables.iter().enumerate() {
        let keys: Vec<String> = table.columns.iter().map(Column::key).collect();
        write!(out, "{}\n{{\"title\":{},", comma(number), json!(table.title))?;
        write!(out, "\"columns\":{},\"rows\":[", json!(keys))?;
        for (number, cells) in table.values().enumerate() {
            write!(out, "{}\n{{", comma(number))?;
            for (number, (key, cell)) in keys.iter().zip(cells).enumerate() {
                write!(out, "{}{}:{}", comma(number), json!(key), value(cell))?;
            }
            write!(out, "}}")?;
        }
        write!(out, "]}}")?;
    }
    write!(out, "]")
}

fn value(cell: &Cell) -> Json {
    match cell.value() {
        None => Json::Null,
        Some(Value::Text(text)) => text.into(),
        Some(Value::Number(number)) => number.into(),
    }
}

fn comma(number: usize) -> &'static str {
    if number == 0 { "" } else { "," }
}
