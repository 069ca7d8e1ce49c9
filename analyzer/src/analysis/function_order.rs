//! In which order functions should be linked, so that those lie together that call each other often.

use std::cmp::Reverse;

use super::chains::{Chains, Extent};
use super::graph::CallGraph;
use crate::profile::{ArcId, Arcs};
use crate::symbols::SymbolId;

/// Used functions for each that may be a hub.
const FUNCTIONS_PER_HUB: usize = 80;
/// The part of all calls that decides who is one.
const BUSY_CALLS: f64 = 0.9;
/// No hub is called by so few functions, as far as those calls go.
const FEW_CALLERS: u32 = 5;

/// All functions, each once: hubs, chains of functions, what was called but is in no chain, and what
/// was never called.
///
/// A hub is called by so many functions that it can lie next to few of them: hubs are in no chain.
/// `arcs_of` gives the arcs of a function in the order that decides between hubs with equal ones.
pub(crate) fn function_order(
    graph: &CallGraph,
    arcs_of: impl Fn(SymbolId) -> Vec<ArcId>,
) -> Vec<SymbolId> {
    let symbols = graph.profile().symbols();
    let arcs = graph.profile().arcs();
    let (used, unused): (Vec<_>, Vec<_>) =
        symbols.ids().partition(|&id| graph.function(id).calls != 0);
    let by_count = by_count(arcs, arcs.by_age().iter().copied());
    let hubs = hubs(&used, callers(arcs, symbols.len(), &by_count));

    let mut can_link = vec![true; symbols.len()];
    hubs.iter().for_each(|hub| can_link[hub.index()] = false);
    let mut chains = Chains::new(arcs, can_link);
    unused.iter().for_each(|&function| chains.leave_out(function));
    // Of two hubs that call each other the caller comes after all others, the callee much later.
    let pairs = pairs(arcs, symbols.len(), &hubs, arcs_of);
    let in_pairs = pairs.iter().map(|&id| arcs.get(id));
    let mut is_in_pair = vec![false; symbols.len()];
    in_pairs.clone().for_each(|arc| {
        [arc.caller, arc.callee].iter().for_each(|hub| {
            is_in_pair[hub.index()] = true;
        })
    });
    hubs.iter().filter(|hub| !is_in_pair[hub.index()]).for_each(|&hub| chains.place(hub));
    in_pairs.for_each(|arc| chains.place(arc.caller));

    let left = chains.follow(&by_count, Extent::Most);
    chains.follow(&left, Extent::All);
    used.iter().for_each(|&function| chains.place(function));
    chains.into_order().into_iter().chain(unused).collect()
}

/// Arcs between two functions, those with the most calls first.
fn by_count(arcs: &Arcs, ids: impl Iterator<Item = ArcId>) -> Vec<ArcId> {
    let mut by_count: Vec<_> = ids.filter(|&id| !arcs.get(id).is_self()).collect();
    by_count.sort_by_cached_key(|&id| Reverse(arcs.get(id).count));
    by_count
}

/// Callers per function, counting only the busiest arcs.
fn callers(arcs: &Arcs, functions: usize, by_count: &[ArcId]) -> Vec<u32> {
    let mut callers = vec![0; functions];
    let by_count = by_count.iter().map(|&id| arcs.get(id));
    let total = by_count.clone().map(|arc| arc.count).fold(0, u64::saturating_add);
    let mut sum = 0_u64;
    for arc in by_count {
        sum = sum.saturating_add(arc.count);
        if sum as f64 / total as f64 > BUSY_CALLS {
            break;
        }
        callers[arc.callee.index()] += 1;
    }
    callers
}

/// Used functions that are called by the most functions.
fn hubs(used: &[SymbolId], callers: Vec<u32>) -> Vec<SymbolId> {
    let mut hubs = used.to_vec();
    hubs.sort_by_cached_key(|id| Reverse(callers[id.index()]));
    hubs.truncate(used.len() / FUNCTIONS_PER_HUB);
    hubs.retain(|id| callers[id.index()] > FEW_CALLERS);
    hubs
}

/// Arcs between two hubs, no two of the same hub, those with the most calls first.
fn pairs(
    arcs: &Arcs,
    functions: usize,
    hubs: &[SymbolId],
    arcs_of: impl Fn(SymbolId) -> Vec<ArcId>,
) -> Vec<ArcId> {
    let mut is_open = vec![false; functions];
    hubs.iter().for_each(|hub| is_open[hub.index()] = true);
    let mut pairs = Vec::new();
    for id in hubs.iter().flat_map(|&hub| arcs_of(hub)) {
        let arc = arcs.get(id);
        if !arc.is_self() && is_open[arc.caller.index()] && is_open[arc.callee.index()] {
            is_open[arc.caller.index()] = false;
            is_open[arc.callee.index()] = false;
            pairs.push(id);
        }
    }
    by_count(arcs, pairs.into_iter())
}
