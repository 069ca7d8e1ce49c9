//! A table in GitHub's Markdown: for summaries of jobs and comments on changes.

use std::io::{self, Write};

use super::format::{Choice, FileNames, Format, Need, Table, View, Writer};
use super::table::table;
use super::words::{amount_with_unit, counted, hooks};
use crate::model::{Inclusive, Model};
use crate::table::{TableFormat, markdown_text};

pub(super) const FORMAT: Format = Format {
    name: "markdown",
    help: "a table of the top functions, for job summaries and reviews",
    files: FileNames::ending(".md"),
    needs: &[Need::Anything],
    choices: &[Choice::Table, Choice::Part],
    writer: Writer::OfModel(write),
};

/// Number of rows, unless the user says one.
const ROWS: usize = 10;

fn write(model: &Model, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let sampling = &model.sampling;
    let functions = model.functions.iter().filter(|it| it.calls.is_some() || it.samples > 0);
    writeln!(
        out,
        "**{}**: {} in {}, {} of {}\n",
        markdown_text(model.program_name()),
        amount_with_unit(sampling, sampling.time(sampling.samples)),
        counted(sampling.samples, "sample"),
        counted(model.calls(), "call"),
        counted(functions.count() as u64, "function"),
    )?;
    let top = Some(view.top.unwrap_or(ROWS));
    let table = table(model, &View { top, ..view.clone() });
    (TableFormat::MARKDOWN.write)(&[table], None, out)?;
    if let Some(hooks) = hooks(model) {
        writeln!(out, "\n{hooks}")?;
    }
    if sampling.inclusive == Inclusive::Apportioned && view.table != Table::Lines {
        writeln!(out, "\ntotal: apportioned by calls, not measured")?;
    }
    Ok(())
}
