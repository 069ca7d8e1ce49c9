//! The samples of a model with their times.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::analysis::stacks::{Node, Stacks};
use crate::records::{Interval, Looks};

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
    /// The interval that all of the model is of, if that is not the whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
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
}

impl Timeline {
    /// The timeline of these samples, which are in the order of their times.
    pub(super) fn new(
        moments: impl Iterator<Item = Moment>,
        interval: Option<Interval>,
    ) -> Option<Self> {
        let mut timeline = Self { interval, ..Self::default() };
        let mut last = 0;
        for Moment { at_us, stack, samples, is_look, waits } in moments {
            timeline.steps_us.push(at_us.saturating_sub(last));
            last = at_us.max(last);
            if !is_look {
                timeline.found_later.push(timeline.stacks.len() as u32);
            }
            if waits {
                timeline.waiting.push(timeline.stacks.len() as u32);
            }
            timeline.stacks.push(stack);
            timeline.samples.push(samples);
        }
        (!timeline.stacks.is_empty()).then_some(timeline)
    }

    /// The samples.
    pub fn moments(&self) -> impl Iterator<Item = Moment> + '_ {
        let mut at_us = 0_u64;
        let [mut later, mut waiting] =
            [&self.found_later, &self.waiting].map(|list| list.iter().copied().peekable());
        let parts = self.steps_us.iter().zip(&self.stacks).zip(&self.samples);
        (0..).zip(parts).map(move |(position, ((step, &stack), &samples))| {
            at_us = at_us.saturating_add(*step);
            let is_look = later.next_if_eq(&position).is_none();
            let waits = waiting.next_if_eq(&position).is_some();
            Moment { at_us, stack, samples, is_look, waits }
        })
    }

    /// The samples, with the positions of nodes as their stacks.
    pub(crate) fn at_nodes(&self, stacks: &Stacks) -> impl Iterator<Item = Moment> + '_ {
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

    /// Tells if the lists are of one length and refer to so many stacks.
    pub(super) fn is_whole(&self, stacks: usize) -> bool {
        let len = self.stacks.len();
        len == self.steps_us.len()
            && len == self.samples.len()
            && self.stacks.iter().all(|stack| (*stack as usize) < stacks)
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
