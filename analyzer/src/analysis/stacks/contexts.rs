//! Contexts as a tree of calls.

use super::sums::Sampled;
use super::tree::{FrameId, Node, Stacks};
use crate::profile::{Context, Contexts, FunctionId};
use crate::records::{Looks, ThreadId};

/// Shows contexts as stacks. The profiler's own work is a function there, behind all others.
pub(super) fn with_sampled<T>(contexts: &Contexts, show: impl FnOnce(&Sampled<'_>) -> T) -> T {
    let known = contexts.functions();
    let hooks = known.len() as u32;
    let functions: Vec<FunctionId> = (0..=hooks).map(FunctionId).collect();
    let node = |&Context { parent, thread, function, own, .. }: &Context| Node {
        parent,
        thread,
        frame: FrameId(function.0),
        own,
    };
    let in_hooks = |(thread, own): (ThreadId, Looks)| Node {
        parent: None,
        thread,
        frame: FrameId(hooks),
        own,
    };
    let nodes = contexts.contexts().iter().map(node);
    let nodes: Vec<Node> = nodes.chain(contexts.overhead_by_thread().map(in_hooks)).collect();
    let is_incomplete = known.iter().map(|it| it.incomplete.is_some()).chain([false]);
    show(&Sampled {
        stacks: &Stacks::of_different(&nodes),
        functions: &functions,
        is_incomplete: &is_incomplete.collect::<Vec<_>>(),
        is_hook: &functions.iter().map(|it| it.0 == hooks).collect::<Vec<_>>(),
        threads: contexts.threads().len(),
        calls: &contexts.all_calls().collect(),
    })
}
