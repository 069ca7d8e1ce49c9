//! In which order object files should be linked, so that those lie together that call each other.

use super::chains::{Chains, Extent};
use super::graph::CallGraph;
use crate::symbols::SymbolId;

/// The symbols that stand for object files, each once.
pub(crate) fn file_order(graph: &CallGraph) -> Vec<SymbolId> {
    let symbols = graph.profile().symbols();
    let arcs = graph.profile().arcs();
    let is_file = |id: SymbolId| symbols.get(id).is_object_file;
    let mut chains = Chains::new(arcs, symbols.ids().map(is_file).collect());
    let between: Vec<_> =
        arcs.by_age().iter().copied().filter(|&id| !arcs.get(id).is_self()).collect();
    chains.follow(&between, Extent::Most);
    symbols.ids().filter(|&id| is_file(id)).for_each(|file| chains.place(file));
    chains.into_order()
}
