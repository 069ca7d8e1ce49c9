//! The formats of tables.

use std::io::{self, Write};

use anstyle::Style;

use super::{Table, json, markdown, separated, text};

/// A format that every table can be written in.
#[derive(Clone, Copy, Debug)]
pub struct TableFormat {
    /// The word that chooses it.
    pub name: &'static str,
    /// Writes tables for an output of so many columns, if it is a terminal.
    pub write: fn(&[Table], Option<usize>, &mut dyn Write) -> io::Result<()>,
}

/// All formats. The first is for people at a terminal.
pub const TABLE_FORMATS: &[TableFormat] = &[
    TableFormat::TEXT,
    TableFormat::MARKDOWN,
    TableFormat::CSV,
    TableFormat::TSV,
    TableFormat::JSON,
];

impl TableFormat {
    /// Text for people at a terminal.
    pub const TEXT: Self = Self {
        name: "text",
        write: |tables, columns, out| text::write(|style| style, tables, columns, out),
    };
    /// Text without styles, for files.
    pub const PLAIN: Self = Self {
        name: "text",
        write: |tables, columns, out| text::write(|_| Style::new(), tables, columns, out),
    };
    /// GitHub's Markdown.
    pub const MARKDOWN: Self =
        Self { name: "markdown", write: |tables, _, out| markdown::write(tables, out) };
    /// Values separated by commas.
    pub const CSV: Self = Self {
        name: "csv",
        write: |tables, _, out| separated::write(tables, ",", separated::quoted, out),
    };
    /// Values separated by tabs.
    pub const TSV: Self = Self {
        name: "tsv",
        write: |tables, _, out| separated::write(tables, "\t", separated::escaped, out),
    };

    /// `gmon-tables/1`.
    pub const JSON: Self = Self { name: "json", write: |tables, _, out| json::write(tables, out) };

    /// The format of a name.
    #[must_use]
    pub fn of(name: &str) -> Option<&'static Self> {
        TABLE_FORMATS.iter().find(|format| format.name == name)
    }

    /// The tables in this format.
    #[must_use]
    pub fn written(&self, tables: &[Table], columns: Option<usize>) -> String {
        let mut out = Vec::new();
        (self.write)(tables, columns, &mut out).expect("memory takes everything");
        String::from_utf8_lossy(&out).into_owned()
    }
}
