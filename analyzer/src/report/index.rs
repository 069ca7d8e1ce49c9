//! The index: all functions by name, with the numbers of their call graph entries.

use std::io::{self, Write};

use super::names::Names;
use super::page::Page;
use crate::analysis::{CallGraph, Entry};

/// The functions that were called or sampled, by name, then the cycles.
#[derive(Debug)]
pub struct FunctionIndex<'a> {
    graph: &'a CallGraph<'a>,
    entries: Vec<Entry>,
}

/// Columns of a line of the terminal.
const LINE_WIDTH: usize = 80;
/// Entries in a line.
const COLUMNS: usize = 3;
/// Width of the bracketed numbers.
const TAG_WIDTH: usize = 5;

impl<'a> FunctionIndex<'a> {
    /// Sorts the functions of a computed graph.
    #[must_use]
    pub fn new(graph: &'a CallGraph<'a>) -> Self {
        let symbols = graph.profile().symbols();
        let mut functions: Vec<_> = symbols
            .ids()
            .filter(|&id| graph.function(id).calls != 0 || graph.function(id).time != 0.0)
            .collect();
        functions.sort_by_key(|&id| symbols.get(id).name);
        let cycles = graph.cycles().map(Entry::Cycle);
        let entries = functions.into_iter().map(Entry::Function).chain(cycles).collect();
        Self { graph, entries }
    }

    /// Functions sorted by linker name, then cycles by number.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Writes the index in columns, as `gprof -q` does.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&self, page: &mut Page<impl Write>, names: &Names<'_>) -> io::Result<()> {
        let out = page.turn()?;
        out.write_all(b"Index by function name\n\n")?;
        let rows = self.entries.len().div_ceil(COLUMNS);
        for row in 0..rows {
            // Like GNU gprof's, the two blanks around a number do not count, and a long cell takes
            // its excess from the next one.
            let (mut column, mut start) = (0, 0);
            for &entry in self.entries.iter().skip(row).step_by(rows) {
                let tag = self.tag(entry);
                column += tag.len();
                let padding = (start + TAG_WIDTH).saturating_sub(column);
                column += padding + write_cell(out, names, entry, padding, &tag)?;
                start += (LINE_WIDTH - 1) / COLUMNS;
            }
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn tag(&self, entry: Entry) -> String {
        let index = self.graph.index(entry);
        if self.graph.costs(entry).shown { format!("[{index}]") } else { format!("({index})") }
    }
}

/// Writes one cell and returns the length of its name and file.
fn write_cell(
    out: &mut impl Write,
    names: &Names<'_>,
    entry: Entry,
    padding: usize,
    tag: &str,
) -> io::Result<usize> {
    write!(out, "{:padding$} {tag} ", "")?;
    match entry {
        Entry::Function(id) => {
            let name = names.plain(id);
            out.write_all(name)?;
            let Some(file) = names.file_of_static(id) else { return Ok(name.len()) };
            write!(out, " ({file})")?;
            Ok(name.len() + file.len() + 3)
        }
        Entry::Cycle(id) => {
            let name = format!("<cycle {}>", id.number());
            out.write_all(name.as_bytes())?;
            Ok(name.len())
        }
    }
}
