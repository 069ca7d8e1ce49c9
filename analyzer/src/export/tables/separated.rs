//! A table of a profile with separated values.

use super::table;
use crate::export::format::{Choice, FileNames, Format, Need, Writer};
use crate::table::TableFormat;

pub(in crate::export) const CSV: Format = Format {
    name: "csv",
    help: "a table, for spreadsheets",
    files: FileNames::ending(".csv"),
    needs: &[Need::Anything],
    choices: &[Choice::Table, Choice::Part],
    writer: Writer::OfModel(|model, view, out| {
        (TableFormat::CSV.write)(&[table(model, view)], None, out)
    }),
};

pub(in crate::export) const TSV: Format = Format {
    name: "tsv",
    help: "a table with tabs between its columns",
    files: FileNames::ending(".tsv"),
    writer: Writer::OfModel(|model, view, out| {
        (TableFormat::TSV.write)(&[table(model, view)], None, out)
    }),
    ..CSV
};
