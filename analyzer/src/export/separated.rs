//! Tables with separated values: CSV as RFC 4180 has it, but for the ends of lines, and TSV.

use std::io::{self, Write};

use super::format::{Choice, FileNames, Format, Need, View, Writer};
use super::table::{Cell, columns, rows};
use crate::model::Model;

pub(super) const CSV: Format = Format {
    name: "csv",
    help: "a table, for spreadsheets",
    files: FileNames::ending(".csv"),
    needs: &[Need::Anything],
    choices: &[Choice::Table, Choice::Part],
    writer: Writer::OfModel(write_csv),
};

pub(super) const TSV: Format = Format {
    name: "tsv",
    help: "a table with tabs between its columns",
    files: FileNames::ending(".tsv"),
    writer: Writer::OfModel(write_tsv),
    ..CSV
};

fn write_csv(model: &Model, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let quoted = |text: &str| match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    };
    write(model, view, ",", quoted, out)
}

fn write_tsv(model: &Model, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let escaped = |text: &str| {
        let text = text.replace('\\', "\\\\").replace('\t', "\\t");
        text.replace('\n', "\\n").replace('\r', "\\r")
    };
    write(model, view, "\t", escaped, out)
}

fn write(
    model: &Model,
    view: &View,
    separator: &str,
    encode: impl Fn(&str) -> String,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}", columns(view.table).join(separator))?;
    for row in rows(model, view) {
        for (index, cell) in row.iter().enumerate() {
            if index > 0 {
                out.write_all(separator.as_bytes())?;
            }
            match cell {
                Cell::Text(text) => out.write_all(encode(text).as_bytes())?,
                Cell::Number(number) => write!(out, "{number}")?,
                Cell::Unknown => {}
            }
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}
