//! Functions' names as reports print them.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::analysis::{CallGraph, Entry};
use crate::image::Lines;
use crate::symbols::{SymbolId, SymbolTable, demangle};

/// Readable names, each made when it is first printed.
#[derive(Debug)]
pub struct Names<'a> {
    symbols: &'a SymbolTable<'a>,
    lines: &'a Lines<'a>,
    plain: Vec<OnceCell<Cow<'a, [u8]>>>,
    full: Vec<OnceCell<Box<[u8]>>>,
}

impl<'a> Names<'a> {
    /// Names for the functions of `symbols`, which come from the sources that `lines` tells of.
    #[must_use]
    pub fn new(symbols: &'a SymbolTable<'a>, lines: &'a Lines<'a>) -> Self {
        let count = symbols.len();
        Self {
            symbols,
            lines,
            plain: vec![OnceCell::new(); count],
            full: vec![OnceCell::new(); count],
        }
    }

    /// The name in the words of the source language.
    pub fn plain(&self, id: SymbolId) -> &[u8] {
        self.plain[id.index()].get_or_init(|| demangle(self.symbols.get(id).name))
    }

    /// The name, its cycle, and the number of its entry: in brackets if the entry is shown. All
    /// calls must be about the same graph.
    pub(super) fn full(&self, graph: &CallGraph<'_>, id: SymbolId) -> &[u8] {
        self.full[id.index()].get_or_init(|| {
            let mut name = self.plain(id).to_vec();
            if let Some(cycle) = graph.cycle_of(id) {
                name.extend(format!(" <cycle {}>", cycle.number()).bytes());
            }
            let index = graph.index(Entry::Function(id));
            let shown = graph.function(id).shown;
            let tag = if shown { format!(" [{index}]") } else { format!(" ({index})") };
            name.extend(tag.bytes());
            name.into()
        })
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
