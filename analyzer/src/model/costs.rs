//! Measured time of the functions of a model, and of calls between them.

use std::collections::HashMap;

use super::document::{Kind, Model};
use crate::analysis::stacks::{BottomUp, Sampled, StackCosts, ThreadChoice, TopDown};
use crate::profile::FunctionId;
use crate::totals::add;

impl Model {
    /// Measured times of functions, each by its number, from the stacks of some threads; nothing without stacks. Errors are those
    /// of the whole profile.
    #[must_use]
    pub fn stack_costs(&self, choice: &ThreadChoice) -> StackCosts {
        self.with_sampled(|it| StackCosts::of(it, choice, self.precision().unwrap_or_default()))
    }

    /// The stacks of all threads as one tree of functions.
    #[must_use]
    pub fn top_down(&self) -> TopDown {
        self.with_sampled(TopDown::of)
    }

    /// Functions by their own time, each with the ways to it that have at least so much weight.
    #[must_use]
    pub fn bottom_up(&self, least: u64) -> BottomUp {
        self.with_sampled(|it| BottomUp::of(it, least))
    }

    fn with_sampled<T>(&self, show: impl FnOnce(&Sampled<'_>) -> T) -> T {
        let mut calls: HashMap<(FunctionId, FunctionId), u64> = HashMap::new();
        for arc in &self.arcs {
            if let (Some(caller), Some(count)) = (arc.caller, arc.calls) {
                add(calls.entry((caller, arc.callee)).or_default(), count);
            }
        }
        let functions: Vec<_> = self.frames.iter().map(|it| it.function).collect();
        let is_kind = |kind: Kind| self.functions.iter().map(move |it| it.kind == kind);
        show(&Sampled {
            stacks: &self.stacks,
            functions: &functions,
            is_incomplete: &is_kind(Kind::Incomplete).collect::<Vec<_>>(),
            is_hook: &is_kind(Kind::Hooks).collect::<Vec<_>>(),
            threads: self.threads.len(),
            calls: &calls,
        })
    }
}
