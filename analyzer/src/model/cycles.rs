//! The cycles of a model with stacks, and what was measured of them.

use super::document::{Cycle, Model};
use super::walk::totals_of_groups;
use crate::analysis::cycles_of;

/// Adds them.
pub(super) fn with_cycles(mut model: Model) -> Model {
    let pairs = model.arcs.iter().filter_map(|arc| Some((arc.caller?, arc.callee)));
    let lists = cycles_of(pairs, model.functions.len());
    for (id, members) in (0..).zip(&lists) {
        members.iter().for_each(|it| model.functions[*it as usize].cycle = Some(id));
    }
    let (frames, functions) = (&model.frames, &model.functions);
    let cycle = |frame: u32| functions[frames[frame as usize].function as usize].cycle;
    let totals = totals_of_groups(&model.stacks, lists.len(), cycle, |node| node.samples);
    let mut within = vec![0_u64; lists.len()];
    for arc in &model.arcs {
        let cycle = functions[arc.callee as usize].cycle;
        let caller = arc.caller.filter(|caller| *caller != arc.callee);
        let is_within = caller.is_some_and(|it| functions[it as usize].cycle == cycle);
        if let Some(cycle) = cycle.filter(|_| is_within) {
            let sum = &mut within[cycle as usize];
            *sum = sum.saturating_add(arc.calls.unwrap_or(0));
        }
    }
    model.cycles = (0..)
        .zip(lists)
        .map(|(id, members)| {
            let own = members.iter().map(|it| model.functions[*it as usize].samples).sum();
            Cycle {
                id,
                functions: members,
                calls_within: within[id as usize],
                self_ns: model.sampling.time(own),
                total_ns: model.sampling.time(totals[id as usize]),
            }
        })
        .collect();
    model
}
