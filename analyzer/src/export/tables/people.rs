//! A table for people: in GitHub's Markdown, for summaries of jobs and comments on changes, or as text.

use std::io::{self, Write};

use super::table;
use crate::export::format::{Choice, FileNames, Format, Need, View, Writer};
use crate::export::words::{amount_with_unit, counted, hooks};
use crate::harmless::harmless;
use crate::model::{Inclusive, Model};
use crate::table::{TableFormat, markdown_text};

pub(in crate::export) const MARKDOWN: Format = Format {
    name: "markdown",
    help: "a table of the top functions, for job summaries and reviews",
    files: FileNames::ending(".md"),
    needs: &[Need::Anything],
    choices: &[Choice::Table, Choice::Part],
    writer: Writer::OfModel(|model, view, out| {
        let title = format!("**{}**", markdown_text(model.program_name()));
        write(model, view, &title, &TableFormat::MARKDOWN, out)
    }),
};

pub(in crate::export) const TEXT: Format = Format {
    name: "text",
    help: "the same table, for a terminal",
    files: FileNames::ending(".txt"),
    writer: Writer::OfModel(|model, view, out| {
        write(model, view, &harmless(model.program_name()), &TableFormat::PLAIN, out)
    }),
    ..MARKDOWN
};

/// Number of rows, unless the user says one.
const ROWS: usize = 10;

fn write(
    model: &Model,
    view: &View,
    title: &str,
    format: &TableFormat,
    out: &mut dyn Write,
) -> io::Result<()> {
    let sampling = &model.sampling;
    writeln!(
        out,
        "{title}: {} in {}, {} of {}\n",
        amount_with_unit(sampling, sampling.time(sampling.samples)),
        counted(sampling.samples, "sample"),
        counted(model.calls(), "call"),
        counted(model.called() as u64, "function"),
    )?;
    let top = Some(view.top.unwrap_or(ROWS));
    let table = table(model, &View { top, ..view.clone() });
    let has_totals = table.columns.iter().any(|column| column.name == "inclusive");
    (format.write)(&[table], None, out)?;
    if let Some(hooks) = hooks(model) {
        writeln!(out, "\n{hooks}")?;
    }
    if sampling.inclusive == Inclusive::Apportioned && has_totals {
        writeln!(out, "\ntotal: apportioned by calls, not measured")?;
    }
    Ok(())
}
