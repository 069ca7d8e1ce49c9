//! The part of a model that is of an interval.

use super::document::{Model, Run};
use super::sampled::add_inclusive;
use super::timeline::{Timeline, placed};
use crate::records::{Interval, Looks};

impl Model {
    /// Samples of an interval alone; `None` if no sample has a time. There are no counts of calls and lines then,
    /// which have no times.
    #[must_use]
    pub fn during(&self, interval: Interval) -> Option<Self> {
        let timeline = self.timeline.as_ref()?;
        let mut nodes = self.stacks.nodes().to_vec();
        nodes.iter_mut().for_each(|node| node.own = Looks::default());
        let mut moments = Vec::new();
        let all = timeline.at_nodes(&self.stacks);
        for moment in all.filter(|moment| interval.contains(moment.at_us)) {
            let weight = u64::from(moment.samples);
            let waiting = if moment.waits { weight } else { 0 };
            let own = Looks { samples: moment.is_look.into(), weight, waiting };
            nodes[moment.stack as usize].own += own;
            moments.push(moment);
        }
        let mut model = Self { run: Run::default(), ..self.clone() };
        let (stacks, moments) = placed(nodes, moments);
        model.stacks = stacks;
        model.timeline = Timeline::new(moments.into_iter(), Some(interval));
        let all: Looks = model.stacks.nodes().iter().map(|node| node.own).sum();
        (model.sampling.samples, model.sampling.signals) = (all.weight, Some(all.samples));
        model.sampling.dispersion = None;
        model.duration_ns = Some(interval.len_us().saturating_mul(1000));
        model.arcs.clear();
        model.places.clear();
        model.lines.clear();
        Some(add_inclusive(model))
    }
}
