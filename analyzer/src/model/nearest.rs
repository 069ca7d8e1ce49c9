//! Callers of library functions in the program, by the time that they cause there.

use std::collections::HashMap;

use super::document::{Kind, Model};
use super::ids::{FunctionId, ModuleId};

impl Model {
    /// For each function of a library the function of the program that is next above it on most of the stacks on which it
    /// was found working; `None` for others, and where no stack has one.
    #[must_use]
    pub fn callers_in_program(&self) -> Vec<Option<FunctionId>> {
        let is_of_program = |id: FunctionId| {
            let function = &self.functions[id.index()];
            function.module == Some(ModuleId(0))
                && matches!(function.kind, Kind::Code | Kind::Inlined)
        };
        let mut nearest: Vec<Option<FunctionId>> = Vec::with_capacity(self.stacks.nodes().len());
        let mut weights: HashMap<(FunctionId, FunctionId), u64> = HashMap::new();
        for node in self.stacks.nodes() {
            let function = self.frames[node.frame.index()].function;
            let above = node.parent.and_then(|parent| nearest[parent as usize]);
            let is_own = is_of_program(function);
            nearest.push(if is_own { Some(function) } else { above });
            if let Some(caller) = above.filter(|_| !is_own && node.own.weight > 0) {
                *weights.entry((function, caller)).or_default() += node.own.weight;
            }
        }
        let mut most: Vec<Option<(u64, FunctionId)>> = vec![None; self.functions.len()];
        for ((function, caller), weight) in weights {
            let known = &mut most[function.index()];
            // Of equals the first, whatever the order of the table.
            let is_more =
                known.is_none_or(|(sum, id)| weight > sum || weight == sum && caller < id);
            if is_more {
                *known = Some((weight, caller));
            }
        }
        most.into_iter().map(|known| known.map(|(_, caller)| caller)).collect()
    }
}
