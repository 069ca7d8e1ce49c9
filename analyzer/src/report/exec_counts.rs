//! Executions of each function, and of each basic block of a line.

use std::cmp::Ordering;
use std::io::{self, Write};

use gmon_format::FilePc;

use super::merge_sort::merge_sort;
use super::page::Page;
use crate::analysis::CallGraph;
use crate::image::{Lines, Location};
use crate::selection::Filter;
use crate::symbols::SymbolId;

/// The executions of one function or block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExecCount {
    /// The function, or the line of one.
    pub symbol: SymbolId,
    /// Place in the source.
    pub location: Option<Location>,
    /// The first address of the function, or that of the block.
    pub address: FilePc,
    /// The number of executions: of calls by other functions, for a function.
    pub count: u64,
}

/// All executions, those of one source file together.
#[derive(Debug)]
pub struct ExecCounts<'a> {
    graph: &'a CallGraph,
    lines: Lines<'a>,
    counts: Vec<ExecCount>,
}

impl<'a> ExecCounts<'a> {
    /// Lists the symbols that `filter` accepts and their blocks.
    #[must_use]
    pub fn new(graph: &'a CallGraph, lines: Lines<'a>, filter: &Filter) -> Self {
        let symbols = graph.profile().symbols();
        let accepted = symbols.ids().filter(|&id| filter.accepts(id));
        let counts = accepted.map(|symbol| {
            let address = symbols.get(symbol).address;
            let location = lines.locate(address);
            ExecCount { symbol, location, address, count: graph.function(symbol).calls }
        });
        let sorted = merge_sort(counts.collect(), |a, b| compare(lines, a, b));
        let with_blocks = |count: ExecCount| {
            let blocks = graph.profile().blocks(count.symbol).iter();
            let blocks =
                blocks.map(move |it| ExecCount { address: it.pc, count: it.count, ..count });
            [count].into_iter().chain(blocks)
        };
        Self { graph, lines, counts: sorted.into_iter().flat_map(with_blocks).collect() }
    }

    /// The functions and blocks.
    #[must_use]
    pub fn counts(&self) -> &[ExecCount] {
        &self.counts
    }

    /// Writes the report as `gprof -C` does.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&self, page: &mut Page<impl Write>) -> io::Result<()> {
        let unused = self.graph.selections().unused;
        let out = page.begin()?;
        let symbols = self.graph.profile().symbols();
        for it in self.counts.iter().filter(|it| unused || it.count != 0) {
            let path = it.location.map_or(&b"<unknown>"[..], |it| self.lines.path(it.file));
            let line = it.location.map_or(0, |it| it.line.get());
            out.write_all(path)?;
            write!(out, ":{line}: (")?;
            out.write_all(symbols.get(it.symbol).name)?;
            writeln!(out, ":{:#x}) {} executions", it.address, it.count)?;
        }
        Ok(())
    }
}

/// Sorts by file and line; what has none is where its address is. This is no order, as GNU gprof's is
/// none: the result depends on the way of sorting.
fn compare(lines: Lines<'_>, a: &ExecCount, b: &ExecCount) -> Ordering {
    let place = |it: &ExecCount| it.location.map(|it| (lines.path(it.file), it.line));
    let by_place = match (place(a), place(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => Ordering::Equal,
    };
    by_place.then(a.address.cmp(&b.address))
}
