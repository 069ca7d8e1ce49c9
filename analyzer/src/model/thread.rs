//! The part of a model that is of one thread.

use super::document::{Kind, Model};
use super::sampled::add_inclusive;

impl Model {
    /// The threads that have samples.
    #[must_use]
    pub fn sampled_threads(&self) -> Vec<u32> {
        let mut threads: Vec<u32> = self.stacks.nodes().iter().map(|node| node.thread).collect();
        // Those of one lie together.
        threads.dedup();
        threads
    }

    /// The stacks of one thread alone, with their times. Calls stay those of all threads, since
    /// they are not counted by thread.
    #[must_use]
    pub fn of_thread(&self, thread: u32) -> Self {
        let mut model = self.clone();
        model.stacks = self.stacks.of_thread(thread);
        let nodes = model.stacks.nodes();
        model.sampling.samples = nodes.iter().map(|node| node.samples).sum();
        model.sampling.signals = Some(nodes.iter().map(|node| node.signals).sum());
        model.sampling.dispersion = None;
        model.sampling.incomplete = model.incomplete_samples();
        add_inclusive(model)
    }

    /// Samples of stacks that could not be followed to their end.
    pub(super) fn incomplete_samples(&self) -> u64 {
        let nodes = self.stacks.nodes();
        let mut is_incomplete: Vec<bool> = Vec::with_capacity(nodes.len());
        let mut sum = 0_u64;
        for node in nodes {
            let function = self.frames[node.frame as usize].function;
            let itself = self.functions[function as usize].kind == Kind::Incomplete;
            let above = node.parent.is_some_and(|parent| is_incomplete[parent as usize]);
            is_incomplete.push(itself || above);
            if itself || above {
                sum = sum.saturating_add(node.samples);
            }
        }
        sum
    }
}
