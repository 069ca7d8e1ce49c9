//! The index: all functions by name, with the numbers of their call graph entries.

use std::io::{self, Write};

use super::columns::blanks;
use super::names::{Names, append_cycle, append_tag};
use super::page::Page;
use crate::analysis::{CallGraph, Entry};
use crate::parallel::{PART_OF_LINES, write_in_parts};

/// The functions that were called or sampled, or all, by name, then the cycles.
#[derive(Debug)]
pub struct FunctionIndex<'a> {
    graph: &'a CallGraph,
    entries: Vec<Entry>,
}

/// Rows of this width, in columns, are still made in memory.
const WIDEST_IN_MEMORY: u32 = 1 << 12;
/// Entries in a line.
const COLUMNS: usize = 3;
/// Width of the bracketed numbers.
const TAG_WIDTH: usize = 5;
/// Width of the names in BSD's layout.
const TRADITIONAL_NAME_WIDTH: usize = 19;

impl<'a> FunctionIndex<'a> {
    /// Sorts the functions of a computed graph.
    #[must_use]
    pub fn new(graph: &'a CallGraph) -> Self {
        let by_name = graph.profile().symbols().name_order().ids().iter().copied();
        let functions = by_name.filter(|&id| {
            let function = graph.function(id);
            graph.selections().unused || function.calls != 0 || function.time != 0.0
        });
        let entries = functions.map(Entry::Function).chain(graph.cycles().map(Entry::Cycle));
        let entries = entries.collect();
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
        if !style.traditional && style.width > WIDEST_IN_MEMORY {
            return self.write_wide(out, rows, style.width, names);
        }
        write_in_parts(out, rows, PART_OF_LINES, |row, text| {
            let cells = self.entries.iter().copied().skip(row).step_by(rows);
            if style.traditional {
                self.append_traditional_row(text, cells, names);
            } else {
                self.append_row(text, cells, style.width, names);
            }
            text.push(b'\n');
        })
    }

    /// Writes rows that are too wide to be made in memory.
    fn write_wide(
        &self,
        out: &mut impl Write,
        rows: usize,
        width: u32,
        names: &Names<'_>,
    ) -> io::Result<()> {
        const BLANKS: [u8; 1 << 12] = [b' '; 1 << 12];
        for row in 0..rows {
            let cells = self.entries.iter().copied().skip(row).step_by(rows);
            for (padding, cell) in self.cells(cells, width, names) {
                let mut left = padding;
                while left > 0 {
                    let part = left.min(BLANKS.len());
                    out.write_all(&BLANKS[..part])?;
                    left -= part;
                }
                out.write_all(&cell)?;
            }
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn append_row(
        &self,
        text: &mut Vec<u8>,
        cells: impl Iterator<Item = Entry>,
        width: u32,
        names: &Names<'_>,
    ) {
        for (padding, cell) in self.cells(cells, width, names) {
            blanks(text, padding);
            text.extend_from_slice(&cell);
        }
    }

    /// The cells of a row, and how many blanks stand before each.
    ///
    /// Like GNU gprof's, the two blanks around a number do not count, and a long cell takes its
    /// excess from the next one.
    fn cells(
        &self,
        cells: impl Iterator<Item = Entry>,
        width: u32,
        names: &Names<'_>,
    ) -> impl Iterator<Item = (usize, Vec<u8>)> {
        let cell_width = (width as usize - 1) / COLUMNS;
        let (mut column, mut start) = (0, 0);
        cells.map(move |entry| {
            let mut cell = Vec::new();
            append_tag(&mut cell, self.graph, entry);
            column += cell.len();
            let padding = (start + TAG_WIDTH).saturating_sub(column);
            cell.push(b' ');
            column += padding + append_name(&mut cell, names, entry);
            start += cell_width;
            (padding + 1, cell)
        })
    }

    /// Tags and names are cut to fixed widths.
    fn append_traditional_row(
        &self,
        text: &mut Vec<u8>,
        cells: impl Iterator<Item = Entry>,
        names: &Names<'_>,
    ) {
        let mut tag = Vec::new();
        for entry in cells {
            tag.clear();
            append_tag(&mut tag, self.graph, entry);
            tag.truncate(6);
            blanks(text, 6 - tag.len());
            text.extend_from_slice(&tag);
            text.push(b' ');
            let start = text.len();
            match entry {
                Entry::Function(id) => text.extend_from_slice(names.raw(id)),
                Entry::Cycle(id) => append_cycle(text, id),
            }
            text.resize(start + TRADITIONAL_NAME_WIDTH, b' ');
        }
    }
}

/// Appends the name of one cell and returns the length of it and its file.
fn append_name(text: &mut Vec<u8>, names: &Names<'_>, entry: Entry) -> usize {
    let start = text.len();
    match entry {
        Entry::Function(id) => {
            text.extend_from_slice(names.plain(id));
            if let Some(file) = names.file_of_static(id) {
                for part in [b" (", file, b")"] {
                    text.extend_from_slice(part);
                }
            }
        }
        Entry::Cycle(id) => append_cycle(text, id),
    }
    text.len() - start
}
