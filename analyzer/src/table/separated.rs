//! Tables with separated values: CSV as RFC 4180 has it, but for the ends of lines, and TSV. An empty line stands between
//! two tables.

use std::io::{self, Write};

use super::cell::Value;
use super::{Column, Table};
use crate::harmless::harmless_cell;

pub(super) fn write_csv(
    tables: &[Table],
    _width: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let quoted = |text: &str| match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    };
    write(tables, ",", quoted, out)
}

pub(super) fn write_tsv(
    tables: &[Table],
    _width: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let escaped = |text: &str| {
        let text = text.replace('\\', "\\\\").replace('\t', "\\t");
        text.replace('\n', "\\n").replace('\r', "\\r")
    };
    write(tables, "\t", escaped, out)
}

fn write(
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
