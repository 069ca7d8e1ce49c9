//! The whole model, `gmon-profile/2`: for scripts, and to be read again. Or one of its tables.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use super::format::{Choice, FileNames, Format, Need, View, Writer};
use super::tables::table;
use crate::model::Model;
use crate::table::TableFormat;

pub(super) const FORMAT: Format = Format {
    name: "json",
    help: "everything, for scripts and to keep: gmon report reads it",
    files: FileNames::ending(".json"),
    needs: &[Need::Anything],
    choices: &[Choice::Table],
    writer: Writer::OfModel(write),
};

fn write(model: &Model, view: &View, out: &mut dyn Write) -> io::Result<()> {
    if view.table.is_some() {
        return (TableFormat::JSON.write)(&[table(model, view)], None, out);
    }
    let mut serializer = Serializer::with_formatter(&mut *out, Rows::default());
    model.serialize(&mut serializer)?;
    writeln!(out)
}

/// Begins a line for each field of the document and for each item of its lists, so that people can look at it
/// and tools compare it by line.
#[derive(Default)]
struct Rows {
    depth: usize,
}

impl Rows {
    fn begin<W: ?Sized + Write>(&self, out: &mut W, first: bool, deepest: usize) -> io::Result<()> {
        let comma: &[u8] = if first { b"" } else { b"," };
        out.write_all(comma)?;
        if self.depth <= deepest { out.write_all(b"\n") } else { Ok(()) }
    }
}

impl Formatter for Rows {
    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        out.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        out.write_all(if self.depth == 0 { b"\n}" } else { b"}" })
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        out.write_all(b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        out.write_all(b"]")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.begin(out, first, 1)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.begin(out, first, 2)
    }
}
