//! The samples of a model with their times.

use std::collections::HashMap;

use gmon_format::live::Kernel;
use serde::{Deserialize, Serialize};

use super::document::Model;
use super::ids::ThreadId;
use super::states::{State, ThreadStates};
use crate::analysis::stacks::{Node, Stacks};
use crate::records::{Interval, Looks, Stretches};

/// The samples that have a time, in the order of their times. Those of the sums that have none came before, and made room.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeline {
    /// Times in microseconds since the profile began, each as the difference from the one before it.
    pub steps_us: Vec<u64>,
    /// Positions of their stacks in the list of stacks.
    pub stacks: Vec<u32>,
    /// Samples that each stands for.
    pub samples: Vec<u32>,
    /// Positions of those that no signal took: time that was found later for the look before it.
    pub found_later: Vec<u32>,
    /// Positions of those that found their threads waiting.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<u32>,
    /// Positions of those that found the kernel at work for system calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub system: Vec<u32>,
    /// Positions of those that found it at work for pages that were not there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<u32>,
    /// Marks of the program, by their starts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// The states of threads, at most once for each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<ThreadStates>,
    /// The interval that all of the model is of, if that is not the whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The parts of that interval that it is of, if not of all of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Interval>,
}

/// A moment or a phase that the program marked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Its name.
    pub name: String,
    /// The thread that marked it.
    pub thread: ThreadId,
    /// When it began, in nanoseconds since the run began.
    pub at_ns: u64,
    /// Its length; `None` for a moment.
    pub length_ns: Option<u64>,
    /// True for a phase that had not ended; then its length is that until the end of what is known.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_open: bool,
}

/// All of a timeline but the samples.
#[derive(Clone, Debug, Default)]
pub(super) struct Beside {
    pub(super) marks: Vec<Mark>,
    pub(super) states: Vec<ThreadStates>,
    /// The part of the run that all is of, if not of the whole run.
    pub(super) part: Option<Stretches>,
}

/// A sample with its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// When it was taken, in microseconds since the profile began.
    pub at_us: u64,
    /// The position of its stack in the list of stacks.
    pub stack: u32,
    /// Samples that it stands for.
    pub samples: u32,
    /// True unless it is time that was found later for the look before it.
    pub is_look: bool,
    /// True if it found the thread waiting.
    pub waits: bool,
    /// Work at which it found the kernel, if it did.
    pub kernel: Option<Kernel>,
}

impl Timeline {
    /// The timeline of these samples, which are in the order of their times; `None` if there is nothing in it.
    pub(super) fn new(moments: impl Iterator<Item = Moment>, beside: Beside) -> Option<Self> {
        let Beside { marks, states, part } = beside;
        let interval = part.as_ref().map(Stretches::hull);
        let parts = part.map(|part| part.intervals().to_vec()).unwrap_or_default();
        let parts = if parts.len() > 1 { parts } else { Vec::new() };
        let mut timeline = Self { marks, states, interval, parts, ..Self::default() };
        let mut last = 0;
        for Moment { at_us, stack, samples, is_look, waits, kernel } in moments {
            timeline.steps_us.push(at_us.saturating_sub(last));
            last = at_us.max(last);
            if !is_look {
                timeline.found_later.push(timeline.stacks.len() as u32);
            }
            if waits {
                timeline.waiting.push(timeline.stacks.len() as u32);
            }
            match kernel {
                Some(Kernel::Call) => timeline.system.push(timeline.stacks.len() as u32),
                Some(Kernel::Fault) => timeline.faults.push(timeline.stacks.len() as u32),
                None => {}
            }
            timeline.stacks.push(stack);
            timeline.samples.push(samples);
        }
        let knows = !timeline.stacks.is_empty() || !timeline.marks.is_empty();
        (knows || !timeline.states.is_empty()).then_some(timeline)
    }

    /// All but the samples.
    pub(super) fn beside(&self) -> Beside {
        let parts = if self.parts.is_empty() {
            self.interval.into_iter().collect()
        } else {
            self.parts.clone()
        };
        let (marks, states) = (self.marks.clone(), self.states.clone());
        Beside { marks, states, part: Stretches::union(parts) }
    }

    /// The samples.
    pub fn moments(&self) -> impl Iterator<Item = Moment> + '_ {
        let mut at_us = 0_u64;
        let lists = [&self.found_later, &self.waiting, &self.system, &self.faults];
        let [mut later, mut waiting, mut system, mut faults] =
            lists.map(|list| list.iter().copied().peekable());
        let parts = self.steps_us.iter().zip(&self.stacks).zip(&self.samples);
        (0..).zip(parts).map(move |(position, ((step, &stack), &samples))| {
            at_us = at_us.saturating_add(*step);
            let is_look = later.next_if_eq(&position).is_none();
            let waits = waiting.next_if_eq(&position).is_some();
            let call = system.next_if_eq(&position).map(|_| Kernel::Call);
            let fault = faults.next_if_eq(&position).map(|_| Kernel::Fault);
            Moment { at_us, stack, samples, is_look, waits, kernel: call.or(fault) }
        })
    }

    /// The samples, with the positions of nodes as their stacks.
    pub fn at_nodes(&self, stacks: &Stacks) -> impl Iterator<Item = Moment> + '_ {
        let nodes = (0..).zip(stacks.nodes());
        let leaves = nodes.filter(|(_, node)| node.own != Looks::default());
        let leaves: Vec<u32> = leaves.map(|(position, _)| position).collect();
        self.moments().map(move |it| Moment { stack: leaves[it.stack as usize], ..it })
    }

    /// Samples that all of them stand for.
    #[must_use]
    pub fn weight(&self) -> u64 {
        self.samples.iter().map(|samples| u64::from(*samples)).sum()
    }

    /// Tells if the lists are of one length and refer to so many stacks and threads.
    pub(super) fn is_whole(&self, stacks: usize, threads: usize) -> bool {
        let len = self.stacks.len();
        len == self.steps_us.len()
            && len == self.samples.len()
            && self.stacks.iter().all(|stack| (*stack as usize) < stacks)
            && self.marks.iter().all(|mark| mark.thread.index() < threads)
            && self.states.iter().all(|states| states.is_whole(threads))
    }
}

impl Mark {
    /// When it ended, in nanoseconds since the run began.
    #[must_use]
    pub fn end_ns(&self) -> u64 {
        self.at_ns.saturating_add(self.length_ns.unwrap_or(0))
    }
}

impl Beside {
    /// The rest of it in a part of the run.
    pub(super) fn during(self, part: &Stretches) -> Self {
        let hull = part.hull();
        let is_in = |mark: &Mark| {
            let (start, end) = (mark.at_ns / 1000, mark.end_ns() / 1000);
            start < hull.end_us && end >= hull.start_us
        };
        let marks = self.marks.into_iter().filter(is_in).collect();
        let states = self.states.iter().filter_map(|it| it.during(hull.start_us..hull.end_us));
        Self { marks, states: states.collect(), part: Some(part.clone()) }
    }
}

impl Model {
    /// Microseconds of all threads in each state, if the kernel told them of all that have states: in the parts of the
    /// run that the model is of.
    #[must_use]
    pub fn sums_of_states(&self) -> Option<[(State, u64); 4]> {
        let Timeline { states, parts, .. } = self.timeline.as_ref()?;
        if states.is_empty() || states.iter().any(|it| it.from_samples) {
            return None;
        }
        let all = [State::Running, State::Runnable, State::Waiting, State::Unknown];
        Some(all.map(|state| (state, states.iter().map(|it| it.sum(state, parts)).sum())))
    }
}

/// Makes stacks of nodes, and moments of samples that name these by their positions.
pub(super) fn placed(nodes: Vec<Node>, moments: Vec<Moment>) -> (Stacks, Vec<Moment>) {
    let (stacks, places) = Stacks::placed(nodes);
    let nodes = (0..).zip(stacks.nodes());
    let leaves = nodes.filter(|(_, node)| node.own != Looks::default());
    let numbers: HashMap<u32, u32> = leaves.map(|(position, _)| position).zip(0..).collect();
    let renumbered = moments.into_iter().filter_map(|moment| {
        let place = places.get(moment.stack as usize)?;
        Some(Moment { stack: *numbers.get(place)?, ..moment })
    });
    (stacks, renumbered.collect())
}
