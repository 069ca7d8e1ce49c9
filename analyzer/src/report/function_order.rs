//! The order of functions that `gprof -r` proposes to the linker.

use std::io::{self, Write};

use super::call_graph::{CallGraphReport, Lines};
use super::names::Names;
use super::page::Page;
use crate::analysis::{CallGraph, Entry, function_order};
use crate::profile::ArcId;
use crate::symbols::SymbolId;

/// All functions, so that those lie together that call each other often.
#[derive(Clone, Debug)]
pub struct FunctionOrder {
    functions: Vec<SymbolId>,
}

impl FunctionOrder {
    /// Finds the order.
    #[must_use]
    pub fn new(graph: &CallGraph) -> Self {
        Self { functions: function_order(graph, |id| arcs_of(graph, id)) }
    }

    /// Finds the order after the call graph was printed. GNU gprof sorts the arcs of an entry when
    /// it prints them, and goes on with them in that order.
    #[must_use]
    pub fn as_printed(graph: &CallGraph) -> Self {
        let report = CallGraphReport::new(graph);
        let printed_arcs_of = |id| {
            let entry = Entry::Function(id);
            match report.lines(entry) {
                Lines::Function { callers, callees } if report.has_entry(entry) => {
                    callees.iter().chain(&callers).map(|line| line.arc).collect()
                }
                _ => arcs_of(graph, id),
            }
        };
        Self { functions: function_order(graph, printed_arcs_of) }
    }

    /// The functions in their order.
    #[must_use]
    pub fn functions(&self) -> &[SymbolId] {
        &self.functions
    }

    /// Writes the linker's names, one in each line, as `gprof -r` does.
    ///
    /// # Errors
    /// Those of the output.
    pub fn write(&self, page: &mut Page<impl Write>, names: &Names<'_>) -> io::Result<()> {
        let out = page.before();
        for &id in &self.functions {
            out.write_all(names.raw(id))?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}

/// The arcs out of a function, then those into it.
fn arcs_of(graph: &CallGraph, id: SymbolId) -> Vec<ArcId> {
    let arcs = graph.profile().arcs();
    arcs.children(id).chain(arcs.parents(id).iter().copied()).collect()
}
