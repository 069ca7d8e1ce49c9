//! The samples of full profiles with their times, and the part of a profile that is of an interval.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::facts::RunFacts;
use super::looks::Looks;
use super::total::FullRecords;

/// Samples of a node at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimedSample {
    /// When, in microseconds since the system started.
    pub at_us: u64,
    /// The node of its stack, by its position.
    pub node: u32,
    /// Its weight in ticks.
    pub weight: u32,
    /// True if it is a look at the thread, and not only time that was found later for the look before it.
    pub is_look: bool,
}

/// The samples of the processes of one run, by their times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    samples: Vec<TimedSample>,
    /// Name of the run; empty if the profiles know none.
    run: Vec<u8>,
    /// When the first process began, in microseconds since the system started.
    origin_us: Option<u64>,
    is_of_several_runs: bool,
    /// The interval that it was cut to.
    part: Option<Interval>,
}

/// A stretch of time, from its start to before its end, in microseconds since the first process of a run began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interval {
    /// Its start.
    pub start_us: u64,
    /// Its end.
    pub end_us: u64,
}

impl Interval {
    /// Returns `true` if a time is in it.
    #[must_use]
    pub fn contains(self, at_us: u64) -> bool {
        (self.start_us..self.end_us).contains(&at_us)
    }

    /// Its length, in microseconds.
    #[must_use]
    pub fn len_us(self) -> u64 {
        self.end_us.saturating_sub(self.start_us)
    }
}

/// The key of the fact that names the run of a process.
const RUN: &str = "run";

/// The key of the fact that says when its profile began, in nanoseconds since the system started.
pub(super) const ORIGIN: &str = "origin";

/// Nodes by the numbers that samples have for them.
pub(super) type Numbers = HashMap<u64, u32>;

impl Timeline {
    /// The timeline of a process, of which there are no samples yet.
    pub(super) fn of(facts: &RunFacts) -> Self {
        let (run, origin) = (facts.get(RUN), facts.number(ORIGIN));
        Self {
            run: run.unwrap_or_default().to_vec(),
            origin_us: origin.map(|origin| origin / 1000),
            // A sum keeps the name that all its parts have.
            is_of_several_runs: origin.is_some() && run.is_none(),
            ..Self::default()
        }
    }

    /// The samples, by their times, which are microseconds since [the start](Self::origin_us).
    pub fn samples(&self) -> impl ExactSizeIterator<Item = TimedSample> + Clone + '_ {
        let origin = self.origin_us();
        self.samples
            .iter()
            .map(move |it| TimedSample { at_us: it.at_us.saturating_sub(origin), ..*it })
    }

    /// When the first process began, in microseconds since the system started.
    #[must_use]
    pub fn origin_us(&self) -> u64 {
        self.origin_us.unwrap_or(0)
    }

    /// Returns `true` if there are no samples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// The interval that it was cut to, if it was.
    #[must_use]
    pub fn part(&self) -> Option<Interval> {
        self.part
    }

    /// Returns `true` if the profiles are of several runs, whose clocks have nothing in common.
    #[must_use]
    pub fn is_of_several_runs(&self) -> bool {
        self.is_of_several_runs
    }

    /// The time of the last sample, in microseconds since the first process began.
    #[must_use]
    pub fn end_us(&self) -> u64 {
        self.samples().map(|sample| sample.at_us).max().unwrap_or(0)
    }

    /// The time of the first sample, in microseconds since the first process began.
    #[must_use]
    pub fn start_us(&self) -> u64 {
        self.samples().map(|sample| sample.at_us).min().unwrap_or(0)
    }

    /// Ticks of all samples.
    #[must_use]
    pub fn weight(&self) -> u64 {
        self.samples.iter().map(|sample| u64::from(sample.weight)).sum()
    }

    /// Adds the samples of another process, whose nodes became these. If that was of another run, there are none any more.
    pub(super) fn absorb(&mut self, other: Self, nodes: &[u32]) {
        if self.is_of_several_runs || other.is_empty() && !other.is_of_several_runs {
            return;
        }
        if self.is_empty() && !other.is_of_several_runs {
            let origin_us = self.origin_us.into_iter().chain(other.origin_us).min();
            *self = Self { samples: Vec::new(), origin_us, ..other.clone() };
        }
        if other.is_of_several_runs || self.run != other.run {
            *self = Self { is_of_several_runs: true, ..Self::default() };
            return;
        }
        self.origin_us = self.origin_us.into_iter().chain(other.origin_us).min();
        let place = |sample: TimedSample| {
            nodes.get(sample.node as usize).map(|&node| TimedSample { node, ..sample })
        };
        self.samples.extend(other.samples.into_iter().filter_map(place));
        // Those of each process are in order, which such a sort makes use of.
        self.samples.sort_by_key(|sample| sample.at_us);
    }

    fn during(&self, interval: Interval) -> Self {
        let origin = self.origin_us();
        let is_in = |sample: &&TimedSample| interval.contains(sample.at_us.saturating_sub(origin));
        let samples = self.samples.iter().filter(is_in).copied().collect();
        Self { samples, part: Some(interval), ..self.clone() }
    }
}

impl FullRecords {
    /// Adds the samples of a process with their times, which are relative to its own start.
    pub(super) fn add_samples(
        &mut self,
        samples: impl Iterator<Item = gmon_format::live::Sample>,
        mut timeline: Timeline,
        numbers: &Numbers,
    ) {
        let origin = timeline.origin_us();
        timeline.samples = samples
            .filter_map(|sample| {
                Some(TimedSample {
                    at_us: origin.saturating_add(sample.at_us),
                    node: *numbers.get(&sample.node.into())?,
                    weight: sample.weight,
                    is_look: sample.is_look,
                })
            })
            .collect();
        timeline.samples.sort_by_key(|sample| sample.at_us);
        let nodes: Vec<u32> = (0..self.nodes.len() as u32).collect();
        self.timeline.absorb(timeline, &nodes);
    }

    /// The samples with their times; none unless the processes kept them.
    #[must_use]
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Only what was sampled in an interval. What has no time is gone: counts of calls and blocks, and samples that were
    /// not kept.
    #[must_use]
    pub fn during(&self, interval: Interval) -> Self {
        let timeline = self.timeline.during(interval);
        let mut part = self.without_counts();
        for node in &mut part.nodes {
            node.own = Looks::default();
        }
        for thread in &mut part.threads {
            (thread.signals, thread.squared_weights) = (0, 0);
        }
        let mut running = vec![0_u64; part.threads.len()];
        for sample in &timeline.samples {
            let node = &mut part.nodes[sample.node as usize];
            let weight = u64::from(sample.weight);
            let waiting = if node.waits { weight } else { 0 };
            node.own += Looks { samples: sample.is_look.into(), weight, waiting };
            running[node.thread.index()] += weight - waiting;
            let thread = &mut part.threads[node.thread.index()];
            thread.signals += u64::from(sample.is_look);
            thread.squared_weights = thread.squared_weights.saturating_add(weight * weight);
        }
        let rate = part.origin().map_or(0, |origin| u64::from(origin.sampling.rate));
        for (thread, ticks) in part.threads.iter_mut().zip(running) {
            let nanoseconds = u128::from(ticks) * 1_000_000_000;
            thread.cpu_ns = (nanoseconds / u128::from(rate.max(1))) as u64;
        }
        part.facts_mut().keep_of_part(interval.len_us().saturating_mul(1000));
        part.timeline = timeline;
        part.refill_bins();
        part
    }
}
