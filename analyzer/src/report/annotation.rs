//! Counts of each source file, line by line.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use gmon_format::Block;

use crate::analysis::CallGraph;
use crate::symbols::{Sources, SymbolId};

/// The source files in which anything is known to have code.
#[derive(Debug)]
pub struct Annotation<'a> {
    files: Vec<AnnotatedFile<'a>>,
}

/// A source file and what was counted in it.
#[derive(Clone, Debug)]
pub struct AnnotatedFile<'a> {
    /// Its path as the compiler recorded it.
    pub path: &'a [u8],
    /// The lines with code, by their numbers.
    pub lines: BTreeMap<u32, AnnotatedLine<'a>>,
    /// The calls of all its lines.
    pub calls: u64,
}

/// Counts of a line with code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnnotatedLine<'a> {
    /// The first symbol that begins in the line.
    pub symbol: SymbolId,
    /// Calls of all symbols that begin in it.
    pub calls: u64,
    /// True if it has code in several places.
    pub is_scattered: bool,
    /// The basic blocks of the first symbol.
    pub blocks: &'a [Block],
}

impl<'a> Annotation<'a> {
    /// Finds what was counted where, of the functions that the selections accept. The files that the
    /// symbols met last come first.
    #[must_use]
    pub fn new(graph: &'a CallGraph, sources: &'a Sources) -> Self {
        let file = |(_, path)| AnnotatedFile { path, lines: BTreeMap::new(), calls: 0 };
        let mut files: Vec<_> = sources.files().map(file).collect();
        let filter = &graph.selections().annotated_source;
        let profile = graph.profile();
        for symbol in profile.symbols().ids().filter(|&id| filter.accepts(id)) {
            let Some((source, line)) = sources.place(symbol) else { continue };
            let calls = graph.function(symbol).calls;
            files[source.index()].add(line, symbol, calls, profile.blocks(symbol));
        }
        files.reverse();
        Self { files }
    }

    /// The files.
    #[must_use]
    pub fn files(&self) -> &[AnnotatedFile<'a>] {
        &self.files
    }
}

impl<'a> AnnotatedFile<'a> {
    fn add(&mut self, line: u32, symbol: SymbolId, calls: u64, blocks: &'a [Block]) {
        self.calls = self.calls.saturating_add(calls);
        let first = AnnotatedLine { symbol, calls: 0, is_scattered: false, blocks };
        let line = self.lines.entry(line).or_insert(first);
        line.is_scattered |= line.symbol != symbol;
        line.calls = line.calls.saturating_add(calls);
    }

    /// The lines that were called at all, the busiest first, with the number of their calls.
    #[must_use]
    pub fn busiest(&self) -> Vec<(u32, u64)> {
        let mut lines: Vec<_> = self.lines.iter().map(|(&line, it)| (line, it.calls)).collect();
        lines.retain(|(_, calls)| *calls != 0);
        lines.sort_by_cached_key(|(_, calls)| Reverse(*calls));
        lines
    }
}
