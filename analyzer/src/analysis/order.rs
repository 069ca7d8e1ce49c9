//! The order of the entries of the call graph.

use std::cmp::Ordering;

use super::cycles::CycleId;
use super::graph::{Costs, Entry};
use crate::symbols::{SymbolId, SymbolTable};

/// All functions and cycles, those with the most time first.
pub(super) fn entries(symbols: &SymbolTable, functions: &[Costs], cycles: &[Costs]) -> Vec<Entry> {
    let cycle_ids = (0..cycles.len()).map(|index| Entry::Cycle(CycleId(index as u32)));
    let mut entries: Vec<_> = symbols.ids().map(Entry::Function).chain(cycle_ids).collect();
    let total = |entry: &Entry| match entry {
        Entry::Function(id) => functions[id.index()].shown_total(),
        Entry::Cycle(id) => cycles[id.index()].shown_total(),
    };
    let names = symbols.name_order();
    // At equal times cycles stand before functions, busy functions before others, and names that
    // begin with an underscore, which are the system's own, last.
    entries.sort_by(|a, b| {
        descending(total(a), total(b)).then_with(|| match (a, b) {
            (Entry::Cycle(_), Entry::Cycle(_)) => Ordering::Equal,
            (Entry::Cycle(_), Entry::Function(_)) => Ordering::Less,
            (Entry::Function(_), Entry::Cycle(_)) => Ordering::Greater,
            (&Entry::Function(a), &Entry::Function(b)) => {
                let is_underscored = |id| symbols.get(id).name.starts_with(b"_");
                let calls = |id: SymbolId| functions[id.index()].calls;
                is_underscored(a)
                    .cmp(&is_underscored(b))
                    .then_with(|| calls(b).cmp(&calls(a)))
                    .then_with(|| names.rank(a).cmp(&names.rank(b)))
            }
        })
    });
    entries
}

/// The larger time first.
fn descending(a: f64, b: f64) -> Ordering {
    b.partial_cmp(&a).unwrap_or(Ordering::Equal)
}
