//! GNU gprof's guess beside measured times: each function's time divided among its callers by their calls.

use std::collections::HashMap;

use super::document::{Arc, Function, Kind, Model};
use super::ids::{FunctionId, ModuleId};
use super::shares::by_weight;
use crate::analysis::ArcKind;
use crate::measurement::Measurement;
use crate::symbols::SymbolId;

impl Model {
    /// Adds gprof's guesses to a model of functions with stacks. Calls say nothing of waits.
    #[must_use]
    pub fn with_guesses(mut self, measurement: &Measurement) -> Self {
        if self.has_stacks() && !self.sampling.waits {
            add_guesses(&self.functions, &mut self.arcs, measurement, self.sampling.period_ns);
        }
        self
    }
}

/// Adds the guess to the arcs between functions of the program. Several functions of one name have none.
pub(super) fn add_guesses(
    functions: &[Function],
    arcs: &mut [Arc],
    measurement: &Measurement,
    period_ns: u64,
) {
    if arcs.iter().all(|arc| arc.calls.is_none()) {
        return;
    }
    let is_of_program = |it: &Function| it.module == Some(ModuleId(0)) && it.kind == Kind::Code;
    let of_program = (0..).map(FunctionId).zip(functions).filter(|(_, it)| is_of_program(it));
    let by_name: HashMap<&[u8], FunctionId> =
        of_program.map(|(position, it)| (it.name.as_bytes(), position)).collect();
    let symbols = measurement.program().symbols();
    let mut uses: HashMap<&[u8], usize> = HashMap::new();
    symbols.ids().for_each(|id| *uses.entry(symbols.get(id).name).or_default() += 1);
    let function = |id: SymbolId| {
        let name = symbols.get(id).name;
        by_name.get(name).copied().filter(|_| uses.get(name) == Some(&1))
    };
    let outside = measurement.graph().arcs();
    let outside = outside.filter(|it| it.kind == ArcKind::Outside && it.arc.count > 0);
    let mut guesses: HashMap<(FunctionId, FunctionId), (u64, Vec<usize>)> = outside
        .filter_map(|it| {
            let pair = (function(it.arc.caller)?, function(it.arc.callee)?);
            let time = (it.own + it.children) * period_ns as f64;
            Some((pair, (time.round() as u64, Vec::new())))
        })
        .collect();
    for (position, arc) in arcs.iter().enumerate() {
        let known = arc.caller.and_then(|caller| guesses.get_mut(&(caller, arc.callee)));
        known.into_iter().for_each(|(_, positions)| positions.push(position));
    }
    for (time, positions) in guesses.into_values() {
        let calls: Vec<u64> = positions.iter().map(|it| arcs[*it].calls.unwrap_or(0)).collect();
        for (position, part) in positions.into_iter().zip(by_weight(time, &calls)) {
            arcs[position].apportioned_ns = Some(part);
        }
    }
}
