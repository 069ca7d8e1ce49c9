//! The samples of full profiles with their times, and the part of a profile that is of an interval.

use std::collections::HashMap;

use gmon_format::live::{self, Kernel, Live};

use super::facts::RunFacts;
use super::looks::Looks;
use super::marks::{Stretches, TimedGap, TimedMark};
use super::parts::ThreadId;
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
    /// Work at which it found the kernel, if it did.
    pub kernel: Option<Kernel>,
}

/// The samples of the processes of one run, by their times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    samples: Vec<TimedSample>,
    marks: Vec<TimedMark>,
    gaps: Vec<TimedGap>,
    /// Name of the run; empty if the profiles know none.
    run: Vec<u8>,
    /// When the first process began, in microseconds since the system started.
    origin_us: Option<u64>,
    is_of_several_runs: bool,
    /// The stretches that it was cut to.
    part: Option<Stretches>,
}

/// The key of the fact that names the run of a process.
pub(super) const RUN: &str = "run";

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

    /// Marks of the program, by their starts; times are nanoseconds since [the start](Self::origin_us).
    pub fn marks(&self) -> impl ExactSizeIterator<Item = TimedMark> + '_ {
        let origin_ns = self.origin_us() * 1000;
        self.marks.iter().map(move |it| it.clone().since(origin_ns))
    }

    /// When threads did not run, by the starts; times are microseconds since [the start](Self::origin_us).
    pub fn gaps(&self) -> impl ExactSizeIterator<Item = TimedGap> + '_ {
        let origin_us = self.origin_us();
        self.gaps.iter().map(move |it| it.since(origin_us))
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

    /// The stretches that it was cut to, if it was.
    #[must_use]
    pub fn part(&self) -> Option<&Stretches> {
        self.part.as_ref()
    }

    /// Returns `true` if the profiles are of several runs, whose clocks have nothing in common.
    #[must_use]
    pub fn is_of_several_runs(&self) -> bool {
        self.is_of_several_runs
    }

    /// The last time that something has, in microseconds since the first process began.
    #[must_use]
    pub fn end_us(&self) -> u64 {
        let samples = self.samples().map(|sample| sample.at_us);
        let marks =
            self.marks.iter().flat_map(|mark| mark.ended_ns.into_iter().chain([mark.begun_ns]));
        let marks = marks.map(|ns| (ns / 1000).saturating_sub(self.origin_us()));
        let gaps = self.gaps().map(|gap| gap.ended_us);
        samples.chain(marks).chain(gaps).max().unwrap_or(0)
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

    /// Returns `true` if nothing in it has a time.
    fn knows_nothing(&self) -> bool {
        self.samples.is_empty() && self.marks.is_empty() && self.gaps.is_empty()
    }

    /// Adds what is known of another process, whose nodes and threads became these. If that was of another run, nothing is
    /// known any more.
    pub(super) fn absorb(&mut self, other: Self, nodes: &[u32], threads: &[ThreadId]) {
        if self.is_of_several_runs || other.knows_nothing() && !other.is_of_several_runs {
            return;
        }
        if self.knows_nothing() && !other.is_of_several_runs {
            let origin_us = self.origin_us.into_iter().chain(other.origin_us).min();
            let (run, part) = (other.run.clone(), other.part.clone());
            *self = Self { origin_us, run, part, ..Self::default() };
        }
        if other.is_of_several_runs || self.run != other.run {
            *self = Self { is_of_several_runs: true, ..Self::default() };
            return;
        }
        self.origin_us = self.origin_us.into_iter().chain(other.origin_us).min();
        let place = |sample: TimedSample| {
            nodes.get(sample.node as usize).map(|&node| TimedSample { node, ..sample })
        };
        let thread = |thread: ThreadId| threads.get(thread.index()).copied();
        let mark = |it: TimedMark| Some(TimedMark { thread: thread(it.thread)?, ..it });
        let gap = |it: TimedGap| Some(TimedGap { thread: thread(it.thread)?, ..it });
        self.samples.extend(other.samples.into_iter().filter_map(place));
        self.marks.extend(other.marks.into_iter().filter_map(mark));
        self.gaps.extend(other.gaps.into_iter().filter_map(gap));
        self.sort();
    }

    /// Forgets when threads did not run.
    pub(super) fn forget_gaps(&mut self) {
        self.gaps.clear();
    }

    /// Puts everything in order. That of each process is, which such a sort makes use of.
    fn sort(&mut self) {
        self.samples.sort_by_key(|sample| sample.at_us);
        self.marks.sort_by_cached_key(|mark| mark.begun_ns);
        self.gaps.sort_by_cached_key(|gap| gap.begun_us);
    }

    fn during(&self, part: &Stretches) -> Self {
        let origin = self.origin_us();
        let is_in = |sample: &&TimedSample| part.contains(sample.at_us.saturating_sub(origin));
        let samples = self.samples.iter().filter(is_in).copied().collect();
        Self { samples, part: Some(part.clone()), ..self.clone() }
    }
}

impl FullRecords {
    /// Adds the times of a process, which are relative to its own start, and its samples with their nodes. Returns the last
    /// time that something has, in microseconds since that start.
    pub(super) fn add_times(
        &mut self,
        live: &Live<'_>,
        samples: Vec<(live::Sample, u32)>,
        mut timeline: Timeline,
        threads: &HashMap<u64, ThreadId>,
    ) -> u64 {
        let origin = timeline.origin_us();
        let timed = |(sample, node): (live::Sample, u32)| TimedSample {
            at_us: origin.saturating_add(sample.at_us),
            node,
            weight: sample.weight,
            is_look: sample.is_look,
            kernel: sample.kernel,
        };
        let thread = |number: u32| threads.get(&number.into()).copied();
        let mark = |it: live::Mark| {
            Some(TimedMark::of(&it, thread(it.thread)?, origin.saturating_mul(1000)))
        };
        let gap = |it: live::Gap| Some(TimedGap::of(it, thread(it.thread)?, origin));
        timeline.samples = samples.into_iter().map(timed).collect();
        timeline.marks =
            live.marks().filter(|it| it.function().is_none()).filter_map(mark).collect();
        timeline.gaps = live.gaps_of_threads().filter_map(gap).collect();
        timeline.sort();
        let nodes: Vec<u32> = (0..self.nodes.len() as u32).collect();
        let threads: Vec<_> = (0..self.threads.len() as u32).map(ThreadId).collect();
        let end_us = timeline.end_us();
        self.timeline.absorb(timeline, &nodes, &threads);
        end_us
    }

    /// The samples with their times; none unless the processes kept them.
    #[must_use]
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Only what was sampled in stretches of time. What is of the whole run is gone: counts of calls and blocks, times of
    /// calls, and samples whose time was not kept.
    #[must_use]
    pub fn during(&self, stretches: &Stretches) -> Self {
        let timeline = self.timeline.during(stretches);
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
            node.own += Looks::timed(sample.is_look, weight, node.waits, sample.kernel);
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
        part.facts_mut().keep_of_part(stretches.len_us().saturating_mul(1000));
        part.timeline = timeline;
        part.refill_bins();
        part
    }
}
