//! The samples of a profile over time, thinned for the page: sums for each stack and thread in steps of equal length.

use gmon_analyzer::Model;
use gmon_analyzer::model::Moment;
use serde::Serialize;

use super::tracks::{Marks, States};

/// Steps that a run has at first.
const MOST_STEPS: u64 = 1000;
/// More sums than these make the page slow and large; then the steps get longer.
const MOST_SUMS: usize = 400_000;
/// Parts of a second in the heat map.
const PARTS: u64 = 50;
/// Seconds that a heat map has at most.
const MOST_SECONDS: u64 = 3600;

/// Samples by time. Each list has one entry for each sum.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OverTime<'a> {
    /// Start of the first step, and the length of each, in microseconds.
    start_us: u64,
    step_us: u64,
    /// Number of steps.
    steps: u64,
    /// The step, as the distance from that of the sum before.
    step: Vec<u64>,
    thread: Vec<u32>,
    /// The node of the tree: as the distance from that of the sum before, if that is of the same step and thread.
    node: Vec<u32>,
    samples: Vec<u64>,
    /// Samples by second and part of it.
    heat: Vec<u64>,
    parts: u64,
    marks: Marks<'a>,
    states: States,
}

/// Steps of equal length, in microseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    pub(super) start_us: u64,
    pub(super) step_us: u64,
    pub(super) steps: u64,
}

/// Samples of a step, or of a time, with their thread and node.
type Sum = (u64, u32, u32, u64);

impl<'a> OverTime<'a> {
    /// The samples of a model that have times. `places` has the node of the page's tree for each of its stacks.
    pub(super) fn new(model: &'a Model, places: &[Option<u32>]) -> Option<Self> {
        let nodes = model.stacks.nodes();
        let timeline = model.timeline.as_ref()?;
        let moments: Vec<Sum> = timeline
            .at_nodes(&model.stacks)
            .filter_map(|Moment { at_us, stack, samples, .. }| {
                let node = (*places.get(stack as usize)?)?;
                Some((at_us, nodes[stack as usize].thread.0, node, u64::from(samples)))
            })
            .collect();
        let (first, last) = (moments.first()?.0, moments.last()?.0);
        // Whole milliseconds, so that the borders have short names.
        let start_us = first / 1000 * 1000;
        let mut step_us = (last - start_us).div_ceil(MOST_STEPS).next_multiple_of(1000).max(1000);
        let heat = heat(&moments, start_us, last);
        let by_step =
            |(at, thread, node, samples)| ((at - start_us) / step_us, thread, node, samples);
        let mut sums = added_up(moments.into_iter().map(by_step).collect());
        while sums.len() > MOST_SUMS && step_us < last - start_us {
            step_us *= 2;
            sums.iter_mut().for_each(|sum| sum.0 /= 2);
            sums = added_up(sums);
        }
        let steps = (last - start_us) / step_us + 1;
        let mut all = Self {
            start_us,
            step_us,
            steps,
            step: Vec::new(),
            thread: Vec::new(),
            node: Vec::new(),
            samples: Vec::new(),
            heat,
            parts: PARTS,
            marks: Marks::new(&timeline.marks),
            states: States::new(&timeline.states, Steps { start_us, step_us, steps }),
        };
        let mut before = (0, u32::MAX, 0);
        for (step, thread, node, samples) in sums {
            let is_next = (step, thread) == (before.0, before.1);
            all.step.push(step - before.0);
            all.thread.push(thread);
            all.node.push(if is_next { node - before.2 } else { node });
            all.samples.push(samples);
            before = (step, thread, node);
        }
        Some(all)
    }
}

/// Sums with one for each step, thread and node, in this order.
fn added_up(mut sums: Vec<Sum>) -> Vec<Sum> {
    sums.sort_unstable();
    sums.dedup_by(|next, kept| {
        let is_same = (next.0, next.1, next.2) == (kept.0, kept.1, kept.2);
        if is_same {
            kept.3 += next.3;
        }
        is_same
    });
    sums
}

/// Samples of each part of each second, one second after the other; nothing for long runs.
fn heat(moments: &[Sum], start_us: u64, last_us: u64) -> Vec<u64> {
    let seconds = (last_us - start_us) / 1_000_000 + 1;
    if seconds > MOST_SECONDS {
        return Vec::new();
    }
    let mut heat = vec![0; (seconds * PARTS) as usize];
    for (at, _, _, samples) in moments {
        heat[((at - start_us) * PARTS / 1_000_000) as usize] += samples;
    }
    heat
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_one_step_thread_and_node_are_one() {
        let sums = added_up(vec![(1, 0, 3, 1), (0, 1, 2, 5), (1, 0, 3, 2), (0, 0, 2, 1)]);
        assert_eq!(sums, [(0, 0, 2, 1), (0, 1, 2, 5), (1, 0, 3, 3)]);
    }

    #[test]
    fn a_heat_map_has_each_sample_once() {
        let heat =
            heat(&[(1000, 0, 0, 2), (20_999, 0, 0, 1), (1_041_000, 0, 0, 4)], 1000, 1_041_000);
        assert_eq!((heat.len(), heat[0], heat[1], heat[52]), (100, 3, 0, 4));
    }
}
