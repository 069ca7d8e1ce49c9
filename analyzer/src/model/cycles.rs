//! The cycles of a model with stacks, and what was measured of them.

use super::document::{Cycle, Model};
use super::ids::{CycleId, FrameId};
use super::sites::totals_of_groups;
use crate::analysis::cycles_of;
use crate::totals::add;

/// Adds them.
pub(super) fn with_cycles(mut model: Model) -> Model {
    let pairs = model.arcs.iter().filter_map(|arc| Some((arc.caller?, arc.callee)));
    let lists = cycles_of(pairs, model.functions.len());
    for (id, members) in (0..).map(CycleId).zip(&lists) {
        members.iter().for_each(|it| model.functions[it.index()].cycle = Some(id));
    }
    let (frames, functions) = (&model.frames, &model.functions);
    let cycle =
        |frame: FrameId| functions[frames[frame.index()].function.index()].cycle.map(|it| it.0);
    let totals = totals_of_groups(&model.stacks, lists.len(), cycle);
    let mut within = vec![0_u64; lists.len()];
    for arc in &model.arcs {
        let cycle = functions[arc.callee.index()].cycle;
        let caller = arc.caller.filter(|caller| *caller != arc.callee);
        let is_within = caller.is_some_and(|it| functions[it.index()].cycle == cycle);
        if let Some(cycle) = cycle.filter(|_| is_within) {
            add(&mut within[cycle.index()], arc.calls.unwrap_or(0));
        }
    }
    model.cycles = (0..)
        .map(CycleId)
        .zip(lists)
        .map(|(id, members)| {
            let own = members.iter().map(|it| model.functions[it.index()].samples).sum();
            Cycle {
                id,
                functions: members,
                calls_within: within[id.index()],
                self_ns: model.sampling.time(own),
                total_ns: model.sampling.time(totals[id.index()].weight),
            }
        })
        .collect();
    model
}
