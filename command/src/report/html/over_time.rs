//! The samples of a profile over time, thinned for the page: sums for each stack and thread in steps of equal length.

use std::collections::HashMap;

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
    /// Signals that took them; empty where that is not known.
    looks: Vec<u64>,
    /// Squares of the samples of signals, by step.
    squares: Vec<u64>,
    /// The part of them in which the kernel worked; empty where that is little.
    kernel: Vec<u64>,
    /// Samples of source lines, if these are all that their lines have.
    lines: Option<Lines>,
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

/// Samples of lines, by their positions. Each list has one entry for each sum.
#[derive(Debug, Default, Serialize)]
struct Lines {
    /// The step, as the distance from that of the sum before.
    step: Vec<u64>,
    line: Vec<u32>,
    samples: Vec<u64>,
}

/// Samples of a step with what they have in common: their thread and node, or their line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Sum {
    step: u64,
    of: (u32, u32),
    samples: u64,
    looks: u64,
    kernel: u64,
}

impl<'a> OverTime<'a> {
    /// The samples of a model that have times. `places` has the node of the page's tree for each of its stacks.
    pub(super) fn new(model: &'a Model, places: &[Option<u32>]) -> Option<Self> {
        let nodes = model.stacks.nodes();
        let timeline = model.timeline.as_ref()?;
        let moments = || {
            let moments = timeline.at_nodes(&model.stacks);
            moments.filter_map(|it| Some((it, (*places.get(it.stack as usize)?)?)))
        };
        let (first, last) = (moments().next()?.0.at_us, moments().last()?.0.at_us);
        // Whole milliseconds, so that the borders have short names.
        let start_us = first / 1000 * 1000;
        let mut step_us = (last - start_us).div_ceil(MOST_STEPS).next_multiple_of(1000).max(1000);
        let sum = |it: &Moment, of| {
            let (step, samples) = ((it.at_us - start_us) / step_us, u64::from(it.samples));
            let kernel = it.kernel.map_or(0, |_| samples);
            Sum { step, of, samples, looks: it.is_look.into(), kernel }
        };
        let of_node =
            |(it, node): (Moment, u32)| sum(&it, (nodes[it.stack as usize].thread.0, node));
        let mut sums = by_step(moments().map(of_node));
        let lines_of_stacks = lines_of_stacks(model);
        let of_line = |(it, _): (Moment, u32)| {
            let line = lines_of_stacks.as_ref()?[it.stack as usize]?;
            Some(Sum { kernel: 0, ..sum(&it, (line, 0)) })
        };
        let mut lines = by_step(moments().filter_map(of_line));
        while sums.len() + lines.len() > MOST_SUMS && step_us < last - start_us {
            step_us *= 2;
            for sums in [&mut sums, &mut lines] {
                sums.iter_mut().for_each(|sum| sum.step /= 2);
                *sums = by_step(sums.drain(..));
            }
        }
        let steps = (last - start_us) / step_us + 1;
        let mut all = Self {
            start_us,
            step_us,
            steps,
            step: steps_of(&sums),
            thread: Vec::new(),
            node: Vec::new(),
            samples: sums.iter().map(|sum| sum.samples).collect(),
            looks: Vec::new(),
            squares: Vec::new(),
            kernel: Vec::new(),
            lines: lines_of_stacks.is_some().then(|| Lines {
                step: steps_of(&lines),
                line: lines.iter().map(|sum| sum.of.0).collect(),
                samples: lines.iter().map(|sum| sum.samples).collect(),
            }),
            heat: heat(moments().map(|it| it.0), start_us, last),
            parts: PARTS,
            marks: Marks::new(&timeline.marks),
            states: States::new(&timeline.states, Steps { start_us, step_us, steps }),
        };
        if model.exactness_of_totals().is_some() {
            all.looks = sums.iter().map(|sum| sum.looks).collect();
            all.squares = vec![0; steps as usize];
            for (it, _) in moments() {
                all.squares[((it.at_us - start_us) / step_us) as usize] +=
                    u64::from(it.samples).pow(2);
            }
        }
        if model.has_much_of_the_kernel() {
            all.kernel = sums.iter().map(|sum| sum.kernel).collect();
        }
        let mut before = None;
        for Sum { step, of: (thread, node), .. } in sums {
            let same = before.filter(|(_, key)| *key == (step, thread));
            all.thread.push(thread);
            all.node.push(node - same.map_or(0, |(node, _)| node));
            before = Some((node, (step, thread)));
        }
        Some(all)
    }
}

/// The positions of the lines in which stacks end; `None` if lines have samples that are not those of stacks.
fn lines_of_stacks(model: &Model) -> Option<Vec<Option<u32>>> {
    let lines = (0..).zip(&model.lines);
    let known: HashMap<_, u32> = lines.map(|(at, line)| ((line.file, line.line), at)).collect();
    let mut sums = vec![0; model.lines.len()];
    let ends = model.stacks.nodes().iter().map(|node| {
        let frame = &model.frames[node.frame.index()];
        let line = *known.get(&(frame.file?, frame.line?))?;
        sums[line as usize] += node.own.weight;
        Some(line)
    });
    let ends: Vec<Option<u32>> = ends.collect();
    let is_all = sums.iter().zip(&model.lines).all(|(sum, line)| *sum == line.samples);
    (is_all && sums.iter().any(|sum| *sum > 0)).then_some(ends)
}

/// The steps of sums, each as the distance from the one before.
fn steps_of(sums: &[Sum]) -> Vec<u64> {
    let before = std::iter::once(0).chain(sums.iter().map(|sum| sum.step));
    sums.iter().zip(before).map(|(sum, before)| sum.step - before).collect()
}

/// Sums with one for each step and what is in it, in this order, of samples in the order of their steps.
fn by_step(samples: impl Iterator<Item = Sum>) -> Vec<Sum> {
    let mut sums: Vec<Sum> = Vec::new();
    let mut start = 0;
    for sample in samples {
        if sums.last().is_some_and(|last| last.step < sample.step) {
            add_up(&mut sums, start);
            start = sums.len();
        }
        sums.push(sample);
    }
    add_up(&mut sums, start);
    sums
}

/// Adds up sums from a position on.
fn add_up(sums: &mut Vec<Sum>, start: usize) {
    sums[start..].sort_unstable();
    let mut last = start;
    for at in start + 1..sums.len() {
        let next = sums[at];
        if sums[last].of == next.of {
            sums[last].samples += next.samples;
            sums[last].looks += next.looks;
            sums[last].kernel += next.kernel;
        } else {
            last += 1;
            sums[last] = next;
        }
    }
    sums.truncate(last + 1);
}

/// Samples of each part of each second, one second after the other; nothing for long runs.
fn heat(moments: impl Iterator<Item = Moment>, start_us: u64, last_us: u64) -> Vec<u64> {
    let seconds = (last_us - start_us) / 1_000_000 + 1;
    if seconds > MOST_SECONDS {
        return Vec::new();
    }
    let mut heat = vec![0; (seconds * PARTS) as usize];
    for Moment { at_us, samples, .. } in moments {
        heat[((at_us - start_us) * PARTS / 1_000_000) as usize] += u64::from(samples);
    }
    heat
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_one_step_thread_and_node_are_one() {
        let sum = |(step, thread, node, samples, looks, kernel)| Sum {
            step,
            of: (thread, node),
            samples,
            looks,
            kernel,
        };
        let samples =
            [(0, 1, 2, 5, 1, 5), (0, 0, 2, 1, 1, 0), (1, 0, 3, 1, 1, 0), (1, 0, 3, 2, 1, 2)];
        let sums = by_step(samples.map(sum).into_iter());
        assert_eq!(sums, [(0, 0, 2, 1, 1, 0), (0, 1, 2, 5, 1, 5), (1, 0, 3, 3, 2, 2)].map(sum));
        assert_eq!(steps_of(&sums), [0, 0, 1]);
        assert_eq!(by_step(std::iter::empty()), []);
    }

    #[test]
    fn a_heat_map_has_each_sample_once() {
        let moments = [(1000, 2), (20_999, 1), (1_041_000, 4)].map(|(at_us, samples)| Moment {
            at_us,
            stack: 0,
            samples,
            is_look: true,
            waits: false,
            kernel: None,
        });
        let heat = heat(moments.into_iter(), 1000, 1_041_000);
        assert_eq!((heat.len(), heat[0], heat[1], heat[52]), (100, 3, 0, 4));
    }
}
