//! The index: all functions by name, with the numbers of their call graph entries.

use std::borrow::Cow;
use std::io::{self, Write};

use super::columns::blanks;
use super::names::Names;
use super::page::Page;
use crate::analysis::{CallGraph, CycleId, Entry};

/// The functions that were called or sampled, or all, by name, then the cycles.
#[derive(Debug)]
pub struct FunctionIndex<'a> {
    graph: &'a CallGraph<'a>,
    entries: Vec<Entry>,
}

/// Entries in a line.
const COLUMNS: usize = 3;
/// Width of the bracketed numbers.
const TAG_WIDTH: usize = 5;
/// Width of the names in BSD's layout.
const TRADITIONAL_NAME_WIDTH: usize = 19;

impl<'a> FunctionIndex<'a> {
    /// Sorts the functions of a computed graph.
    #[must_use]
    pub fn new(graph: &'a CallGraph<'a>) -> Self {
        let symbols = graph.profile().symbols();
        let mut functions: Vec<_> = symbols
            .ids()
            .filter(|&id| {
                let function = graph.function(id);
                graph.selections().unused || function.calls != 0 || function.time != 0.0
            })
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
        let style = page.style();
        let out = page.turn()?;
        out.write_all(b"Index by function name\n\n")?;
        let rows = self.entries.len().div_ceil(COLUMNS);
        for row in 0..rows {
            let cells = self.entries.iter().copied().skip(row).step_by(rows);
            if style.traditional {
                self.write_traditional_row(out, cells, names)?;
            } else {
                self.write_row(out, cells, style.width, names)?;
            }
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Like GNU gprof's, the two blanks around a number do not count, and a long cell takes its
    /// excess from the next one.
    fn write_row(
        &self,
        out: &mut impl Write,
        cells: impl Iterator<Item = Entry>,
        width: u32,
        names: &Names<'_>,
    ) -> io::Result<()> {
        let cell_width = (width as usize - 1) / COLUMNS;
        let (mut column, mut start) = (0, 0);
        for entry in cells {
            let tag = self.tag(entry);
            column += tag.len();
            let padding = (start + TAG_WIDTH).saturating_sub(column);
            blanks(out, padding)?;
            write!(out, " {tag} ")?;
            column += padding + write_name(out, names, entry)?;
            start += cell_width;
        }
        Ok(())
    }

    /// Tags and names are cut to fixed widths.
    fn write_traditional_row(
        &self,
        out: &mut impl Write,
        cells: impl Iterator<Item = Entry>,
        names: &Names<'_>,
    ) -> io::Result<()> {
        for entry in cells {
            let name = match entry {
                Entry::Function(id) => names.raw(id).into(),
                Entry::Cycle(id) => Cow::from(cycle_name(id).into_bytes()),
            };
            let name = &name[..name.len().min(TRADITIONAL_NAME_WIDTH)];
            write!(out, "{:>6.6} ", self.tag(entry))?;
            out.write_all(name)?;
            blanks(out, TRADITIONAL_NAME_WIDTH - name.len())?;
        }
        Ok(())
    }

    fn tag(&self, entry: Entry) -> String {
        let index = self.graph.index(entry);
        if self.graph.costs(entry).shown { format!("[{index}]") } else { format!("({index})") }
    }
}

/// Writes the name of one cell and returns the length of it and its file.
fn write_name(out: &mut impl Write, names: &Names<'_>, entry: Entry) -> io::Result<usize> {
    match entry {
        Entry::Function(id) => {
            let name = names.plain(id);
            out.write_all(name)?;
            let Some(file) = names.file_of_static(id) else { return Ok(name.len()) };
            out.write_all(&[b" (", file, b")"].concat())?;
            Ok(name.len() + file.len() + 3)
        }
        Entry::Cycle(id) => {
            let name = cycle_name(id);
            out.write_all(name.as_bytes())?;
            Ok(name.len())
        }
    }
}

fn cycle_name(id: CycleId) -> String {
    format!("<cycle {}>", id.number())
}
