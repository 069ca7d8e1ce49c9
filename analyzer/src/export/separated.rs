//! A table of a profile with separated values.

use super::format::{Choice, FileNames, Format, Need, Writer};
use super::table::table;
use crate::table::TableFormat;

pub(super) const CSV: Format = Format {
    name: "csv",
    help: "a table, for spreadsheets",
    files: FileNames::ending(".csv"),
    needs: &[Need::Anything],
    choices: &[Choice::Table, Choice::Part],
    writer: Writer::OfModel(|model, view, out| {
        (TableFormat::CSV.write)(&[table(model, view)], None, out)
    }),
};

pub(super) const TSV: Format = Format {
    name: "tsv",
    help: "a table with tabs between its columns",
    files: FileNames::ending(".tsv"),
    writer: Writer::OfModel(|model, view, out| {
        (TableFormat::TSV.write)(&[table(model, view)], None, out)
    }),
    ..CSV
};
