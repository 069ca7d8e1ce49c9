//! Destination of summaries.

use std::fmt::Display;
use std::io::{IsTerminal, Write, sink, stderr, stdout};
use std::os::fd::AsFd;
use std::path::PathBuf;

use anstream::{AutoStream, ColorChoice};
use anyhow::{Context, Result};
use gmon_analyzer::sum::open_output;
use gmon_analyzer::table::{Cell, Column, Placing, Table, TableFormat};

use super::sheet::Sheet;
use crate::open::{check_output, is_standard_output};

/// A stream, coloured if it is a terminal, or a file.
pub(crate) struct Output {
    out: Box<dyn Write>,
    name: String,
    is_used: bool,
    /// The columns of the terminal, if it is one.
    width: Option<usize>,
    /// The format of tables, and those that are written in it in the end; none for text.
    tables: Option<(&'static TableFormat, Vec<Table>)>,
}

impl Output {
    /// The standard error stream, or a file. It is opened before the program runs, so that a wrong path
    /// does not cost a run.
    pub(crate) fn open(path: Option<&PathBuf>) -> Result<Self> {
        let Some(path) = path else {
            let out = Box::new(anstream::stderr());
            let (name, width) = ("standard error".into(), columns(&stderr()));
            return Ok(Self { out, name, is_used: false, width, tables: None });
        };
        if is_standard_output(path) {
            return Ok(Self::standard());
        }
        check_output(path)?;
        let name = path.display().to_string();
        let file = open_output(path).with_context(|| format!("cannot write the report {name}"))?;
        let out = Box::new(AutoStream::new(file, ColorChoice::Never));
        Ok(Self { out, name, is_used: false, width: None, tables: None })
    }

    /// No stream at all.
    pub(crate) fn nowhere() -> Self {
        Self {
            out: Box::new(sink()),
            name: "nowhere".into(),
            is_used: false,
            width: None,
            tables: None,
        }
    }

    /// The standard output.
    pub(crate) fn standard() -> Self {
        let (name, width) = ("standard output".into(), columns(&stdout()));
        Self { out: Box::new(anstream::stdout()), name, is_used: false, width, tables: None }
    }

    /// An output of tables alone, in a format; of all, if that is text.
    pub(crate) fn of_tables(self, format: &'static TableFormat) -> Self {
        let tables = (format.name != TableFormat::TEXT.name).then(|| (format, Vec::new()));
        Self { tables, ..self }
    }

    /// The columns that there are for a row, if the stream is a terminal.
    pub(crate) fn width(&self) -> Option<usize> {
        self.width
    }

    /// Shows something, behind an empty line if it is not the first.
    pub(crate) fn show(&mut self, what: &impl Display) -> Result<()> {
        if self.tables.is_some() {
            return Ok(());
        }
        let gap = if self.is_used { "\n" } else { "" };
        self.is_used = true;
        write!(self.out, "{gap}{what}")
            .and_then(|()| self.out.flush())
            .with_context(|| format!("cannot write the report to {}", self.name))
    }

    /// Shows a sheet of a program, or of all, or keeps its tables for the end.
    pub(crate) fn present(&mut self, program: Option<&str>, sheet: Sheet) -> Result<()> {
        let Some((_, tables)) = &mut self.tables else { return self.show(&sheet.text(self.width)) };
        tables.extend(sheet.tables().map(|table| match program {
            Some(program) => {
                let behind = if table.title.is_empty() { "" } else { ": " };
                let title = format!("{program}{behind}{}", table.title);
                let column = Column::text("program", Placing::Nowhere);
                Table { title, ..table.with(column, &Cell::text(program)) }
            }
            None => table,
        }));
        Ok(())
    }

    /// Writes the tables that were kept.
    pub(super) fn finish(mut self) -> Result<()> {
        let Some((format, tables)) = &self.tables else { return Ok(()) };
        (format.write)(tables, None, &mut self.out)
            .and_then(|()| self.out.flush())
            .with_context(|| format!("cannot write the report to {}", self.name))
    }
}

/// The columns of a terminal; none if the stream is none.
fn columns(stream: &(impl AsFd + IsTerminal)) -> Option<usize> {
    let size = stream.is_terminal().then(|| terminal_size::terminal_size_of(stream)).flatten();
    size.map(|(terminal_size::Width(columns), _)| columns.into())
}
