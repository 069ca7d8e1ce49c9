//! The part of a model that is of an interval.

use super::document::{Model, Run};
use super::errors::dispersion;
use super::sampled::add_inclusive;
use super::timeline::{Moment, Timeline, placed};
use crate::analysis::stacks::Node;
use crate::records::{Looks, Stretches};

impl Model {
    /// Samples of stretches of time alone; `None` if no sample has a time. There are no counts of calls and lines then,
    /// which have no times.
    #[must_use]
    pub fn during(&self, part: &Stretches) -> Option<Self> {
        self.during_where(part, |moment, _| part.contains(moment.at_us))
    }

    /// Samples of moments and nodes that are meant, which lie in a part of the run.
    pub(super) fn during_where(
        &self,
        part: &Stretches,
        mut is_meant: impl FnMut(&Moment, &Node) -> bool,
    ) -> Option<Self> {
        let timeline = self.timeline.as_ref()?;
        let mut nodes = self.stacks.nodes().to_vec();
        nodes.iter_mut().for_each(|node| node.own = Looks::default());
        let (mut moments, mut squares) = (Vec::new(), 0.0);
        let mut running = vec![0_u64; self.threads.len()];
        let all = timeline.at_nodes(&self.stacks);
        let is_meant = |it: &Moment| is_meant(it, &self.stacks.nodes()[it.stack as usize]);
        for moment in all.filter(is_meant) {
            let weight = u64::from(moment.samples);
            let own = Looks::timed(moment.is_look, weight, moment.waits, moment.kernel);
            let node = &mut nodes[moment.stack as usize];
            node.own += own;
            running[node.thread.index()] += if moment.waits { 0 } else { weight };
            squares += (weight * weight) as f64;
            moments.push(moment);
        }
        // As full profiles have it of a part: how all was sampled, and the largest memory.
        let Run { max_rss_kb, sampler, clock, signal, .. } = self.run.clone();
        let run = Run { max_rss_kb, sampler, clock, signal, ..Run::default() };
        let mut model = Self { run, ..self.clone() };
        for (thread, samples) in model.threads.iter_mut().zip(running) {
            thread.cpu_ns = self.sampling.time(samples);
        }
        let (stacks, moments) = placed(nodes, moments);
        model.stacks = stacks;
        model.timeline = Timeline::new(moments.into_iter(), timeline.beside().during(part));
        let all: Looks = model.stacks.nodes().iter().map(|node| node.own).sum();
        (model.sampling.samples, model.sampling.signals) = (all.weight, Some(all.samples));
        model.sampling.dispersion = dispersion(all.samples, squares, all.weight);
        model.duration_ns = Some(part.len_us().saturating_mul(1000));
        model.arcs.clear();
        model.places.clear();
        model.lines.clear();
        model.copies.clear();
        model.call_times.clear();
        model.long_calls.clear();
        Some(add_inclusive(model))
    }
}
