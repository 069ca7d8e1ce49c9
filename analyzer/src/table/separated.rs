//! Tables with separated values: CSV as RFC 4180 has it, but for the ends of lines, and TSV. An empty line stands between
//! two tables.

use std::io::{self, Write};

use super::cell::Value;
use super::{Column, Table};
use crate::harmless::harmless_cell;

/// A value as CSV has it.
pub(super) fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// A value as TSV has it.
pub(super) fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\t', "\\t");
    text.replace('\n', "\\n").replace('\r', "\\r")
}

pub(super) fn write(
    tables: &[Table],
    separator: &str,
    encode: impl Fn(&str) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (number, table) in tables.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        let keys: Vec<String> = table.columns.iter().map(Column::key).collect();
        writeln!(out, "{}", keys.join(separator))?;
        for cells in table.values() {
            for (index, cell) in cells.iter().enumerate() {
                if index > 0 {
                    out.write_all(separator.as_bytes())?;
                }
                match cell.value() {
                    None => {}
                    Some(Value::Text(text)) => {
                        out.write_all(encode(&harmless_cell(text)).as_bytes())?;
                    }
                    Some(Value::Number(number)) => write!(out, "{number}")?,
                }
            }
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}
