//! The part of a model that is of one thread.

use super::document::{Kind, Model};
use super::ids::ThreadId;
use super::sampled::add_inclusive;
use crate::records::Looks;

impl Model {
    /// The threads that have samples.
    #[must_use]
    pub fn sampled_threads(&self) -> Vec<ThreadId> {
        let mut threads: Vec<ThreadId> =
            self.stacks.nodes().iter().map(|node| node.thread).collect();
        // Those of one lie together.
        threads.dedup();
        threads
    }

    /// The stacks of one thread alone, with their times. Calls stay those of all threads, since
    /// they are not counted by thread.
    #[must_use]
    pub fn of_thread(&self, thread: ThreadId) -> Self {
        // Its stacks have other positions.
        let mut model = Self { timeline: None, ..self.clone() };
        model.stacks = self.stacks.of_threads(|it| it == thread);
        let all: Looks = model.stacks.nodes().iter().map(|node| node.own).sum();
        model.sampling.samples = all.weight;
        model.sampling.signals = Some(all.samples);
        model.sampling.dispersion = None;
        // The guess is one of all threads.
        model.arcs.iter_mut().for_each(|arc| arc.apportioned_ns = None);
        add_inclusive(model)
    }

    /// Samples of stacks that could not be followed to their end.
    pub(super) fn incomplete_samples(&self) -> u64 {
        let nodes = self.stacks.nodes();
        let mut is_incomplete: Vec<bool> = Vec::with_capacity(nodes.len());
        let mut sum = 0_u64;
        for node in nodes {
            let function = self.frames[node.frame.index()].function;
            let itself = self.functions[function.index()].kind == Kind::Incomplete;
            let above = node.parent.is_some_and(|parent| is_incomplete[parent as usize]);
            is_incomplete.push(itself || above);
            if itself || above {
                sum = sum.saturating_add(node.own.weight);
            }
        }
        sum
    }
}
