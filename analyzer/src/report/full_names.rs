//! The full names of all functions that a report shows, made before it is written: a name is
//! printed once for each arc of its function, and on any processor.

use super::names::Names;
use crate::analysis::{CallGraph, Entry};
use crate::symbols::SymbolId;

/// Full names, one behind the other.
pub(super) struct FullNames {
    text: Vec<u8>,
    /// Start of each function's name in the text, and one more entry for the end.
    starts: Vec<usize>,
}

impl FullNames {
    /// The names of all functions that stand in these entries.
    pub(super) fn new(graph: &CallGraph, names: &Names<'_>, entries: &[Entry]) -> Self {
        let count = graph.profile().symbols().len();
        let mut has_entry = vec![false; count];
        let mut is_shown = vec![false; count];
        for &entry in entries {
            match entry {
                Entry::Function(id) => {
                    has_entry[id.index()] = true;
                    is_shown[id.index()] = true;
                }
                Entry::Cycle(id) => {
                    graph.members(id).iter().for_each(|id| is_shown[id.index()] = true);
                }
            }
        }
        for arc in graph.profile().arcs().list() {
            let (caller, callee) = (arc.caller.index(), arc.callee.index());
            if has_entry[caller] || has_entry[callee] {
                is_shown[caller] = true;
                is_shown[callee] = true;
            }
        }
        let mut text = Vec::new();
        let mut starts = Vec::with_capacity(count + 1);
        for id in graph.profile().symbols().ids() {
            starts.push(text.len());
            if is_shown[id.index()] {
                names.append_full(&mut text, graph, id);
            }
        }
        starts.push(text.len());
        Self { text, starts }
    }

    /// The name of a function; empty if it stands in no entry.
    pub(super) fn get(&self, id: SymbolId) -> &[u8] {
        let index = id.index();
        &self.text[self.starts[index]..self.starts[index + 1]]
    }
}
