//! Functions' names as reports print them.

use std::cell::OnceCell;
use std::io::{self, Write};

use crate::analysis::{CallGraph, Entry};
use crate::image::Lines;
use crate::symbols::{SymbolId, SymbolTable, demangle};

/// Readable names, each made when it is first printed.
#[derive(Debug)]
pub struct Names<'a> {
    symbols: &'a SymbolTable<'a>,
    lines: &'a Lines<'a>,
    readable: Vec<OnceCell<Box<[u8]>>>,
}

impl<'a> Names<'a> {
    /// Names for the functions of `symbols`, which come from the sources that `lines` tells of.
    #[must_use]
    pub fn new(symbols: &'a SymbolTable<'a>, lines: &'a Lines<'a>) -> Self {
        Self { symbols, lines, readable: vec![OnceCell::new(); symbols.len()] }
    }

    /// The name in the words of the source language.
    pub fn plain(&self, id: SymbolId) -> &[u8] {
        self.readable[id.index()].get_or_init(|| {
            let raw = self.symbols.get(id).name;
            demangle(raw).into()
        })
    }

    /// The name, its cycle, and the number of its entry: in brackets if the entry is shown.
    pub(super) fn write_full(
        &self,
        out: &mut impl Write,
        graph: &CallGraph<'_>,
        id: SymbolId,
    ) -> io::Result<()> {
        out.write_all(self.plain(id))?;
        if let Some(cycle) = graph.cycle_of(id) {
            write!(out, " <cycle {}>", cycle.number())?;
        }
        let index = graph.index(Entry::Function(id));
        if graph.function(id).shown { write!(out, " [{index}]") } else { write!(out, " ({index})") }
    }

    /// The source file, without its directory, of a function that only that file sees: its name
    /// alone may not be unique.
    pub(super) fn file_of_static(&self, id: SymbolId) -> Option<String> {
        let symbol = self.symbols.get(id);
        if !symbol.is_static {
            return None;
        }
        let location = self.lines.locate(symbol.address)?;
        let base = location.file.rsplit('/').next().unwrap_or_default();
        Some(base.to_owned())
    }
}
