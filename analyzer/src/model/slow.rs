//! Calls that took long: which samples were taken in them, and what these do that others do not.

use std::collections::BTreeMap;

use gmon_format::live::Timing;
use serde::{Deserialize, Serialize};

use super::call_times::Starts;
use super::document::{Kind, Model};
use super::ids::{FunctionId, ThreadId};
use super::timeline::Moment;
use crate::analysis::stacks::Node;
use crate::records::{Figure, FullRecords, Interval, Stretches, Times};

/// A timed call that took a millisecond or more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LongCall {
    /// The function.
    pub function: FunctionId,
    /// The thread that called it.
    pub thread: ThreadId,
    /// When it began, in nanoseconds since the run began.
    pub at_ns: u64,
    /// The time that it took, in nanoseconds.
    pub length_ns: u64,
}

/// The least time of calls that count as slow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Slow {
    /// A time in nanoseconds.
    From(u64),
    /// The figure of all calls of the function.
    Figure(Figure),
}

/// Time in the slow calls of functions, and in their other calls.
#[derive(Clone, Debug, Default)]
pub struct Contrast {
    /// Slow calls.
    pub slow: u64,
    /// Other calls of the same functions.
    pub others: u64,
    /// Calls among these that were slow by the histograms, and are not known one by one.
    pub lost: u64,
    /// Functions, with the samples that found them in slow calls and in others.
    pub functions: Vec<(FunctionId, [u64; 2])>,
}

/// The long calls in records.
pub(super) fn long_calls(records: &FullRecords, starts: &Starts<'_>) -> Vec<LongCall> {
    let calls = records.long_calls().filter_map(|(it, begun_ns, ended_ns)| {
        let function = starts.at(it.function)?;
        let length_ns = ended_ns.saturating_sub(begun_ns);
        Some(LongCall { function, thread: it.thread, at_ns: begun_ns, length_ns })
    });
    calls.collect()
}

impl LongCall {
    /// Returns `true` if it is of a model with so many functions and threads.
    pub(super) fn is_whole(&self, functions: usize, threads: usize) -> bool {
        self.function.index() < functions && self.thread.index() < threads
    }

    fn interval(&self) -> Interval {
        let end_ns = self.at_ns.saturating_add(self.length_ns);
        Interval { start_us: self.at_ns / 1000, end_us: end_ns / 1000 + 1 }
    }
}

/// Calls that are slow, by the time that they took.
pub struct SlowCalls<'m> {
    model: &'m Model,
    /// The times of all timed calls by function.
    timed: Vec<(FunctionId, Times)>,
    calls: Vec<&'m LongCall>,
    by_thread: BTreeMap<ThreadId, Stretches>,
    /// Functions whose slow calls are kept one by one, with the least time of such calls.
    least_ns: BTreeMap<FunctionId, u64>,
    /// The function with the longest of those times that are shorter than what is kept one by one, if all are shorter.
    pub too_short: Option<(FunctionId, u64)>,
}

impl Model {
    /// The slow calls of these functions, or of all whose calls were timed.
    #[must_use]
    pub fn slow_calls(&self, slow: Slow, of: Option<&[FunctionId]>) -> SlowCalls<'_> {
        let timed = self.times_by_function();
        let meant = timed.iter().filter(|(id, _)| of.is_none_or(|of| of.contains(id)));
        let least = |times| match slow {
            Slow::From(ns) => Some(ns),
            Slow::Figure(figure) => figure.of(times),
        };
        let mut least_ns: BTreeMap<FunctionId, u64> =
            meant.filter_map(|(id, times)| Some((*id, least(times)?))).collect();
        let longest = least_ns.iter().map(|(id, ns)| (*id, *ns)).max_by_key(|(id, ns)| (*ns, *id));
        let too_short = longest.filter(|(_, ns)| *ns < Timing::LONG_NS);
        // Of a function with a shorter time nobody knows which calls were slow, not even where some are kept.
        least_ns.retain(|_, ns| *ns >= Timing::LONG_NS);
        let is_slow =
            |it: &&LongCall| least_ns.get(&it.function).is_some_and(|ns| it.length_ns >= *ns);
        let calls: Vec<&LongCall> = self.long_calls.iter().filter(is_slow).collect();
        let mut by_thread = BTreeMap::<ThreadId, Vec<Interval>>::new();
        for call in &calls {
            by_thread.entry(call.thread).or_default().push(call.interval());
        }
        let union = |(thread, intervals)| Some((thread, Stretches::union(intervals)?));
        let by_thread = by_thread.into_iter().filter_map(union).collect();
        SlowCalls { model: self, timed, calls, by_thread, least_ns, too_short }
    }
}

impl SlowCalls<'_> {
    /// Returns `true` if no function has a least time, as where histograms are too full to tell it.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.least_ns.is_empty() && self.too_short.is_none()
    }

    /// Number of slow calls that are known one by one.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.calls.len() as u64
    }

    /// Number of calls that were slow by the histograms, at least.
    #[must_use]
    pub fn number_by_histograms(&self) -> u64 {
        let of = |(id, times): &(FunctionId, Times)| -> u64 {
            let Some(least) = self.least_ns.get(id) else { return 0 };
            let bucket = Timing::bucket_of(*least) as u16;
            let above = times.buckets.range(bucket + 1..).map(|(_, calls)| *calls).sum::<u64>();
            above / times.every.max(1)
        };
        self.timed.iter().map(of).sum()
    }

    /// The times of the functions of which some calls are slow, or could have been.
    pub fn timed(&self) -> impl Iterator<Item = &Times> {
        let timed = self.timed.iter().filter(|(id, _)| self.least_ns.contains_key(id));
        timed.map(|(_, times)| times)
    }

    /// Tells of one moment after the other whether its thread was at the program's work in such a call. Time that was found
    /// later belongs to the look before it.
    fn has(&self) -> impl FnMut(&Moment, &Node) -> bool + '_ {
        let mut looks: BTreeMap<ThreadId, u64> = BTreeMap::new();
        move |moment, node| {
            let look = looks.entry(node.thread).or_insert(moment.at_us);
            if moment.is_look {
                *look = moment.at_us;
            }
            let function = self.model.frames[node.frame.index()].function;
            let is_own = self.model.functions[function.index()].kind != Kind::Hooks;
            is_own && self.by_thread.get(&node.thread).is_some_and(|it| it.contains(*look))
        }
    }

    /// The samples that were taken in them; `None` if there are none.
    #[must_use]
    pub fn samples(&self) -> Option<Model> {
        let all = self.calls.iter().map(|call| call.interval()).collect();
        let hull = Stretches::union(all)?;
        self.model.during_where(&hull, self.has())
    }

    /// Time in them beside that in other calls of the same functions.
    #[must_use]
    pub fn contrast(&self) -> Contrast {
        let all: u64 = self.timed().map(Times::calls).sum();
        let nodes = self.model.stacks.nodes();
        let function = |node: &Node| self.model.frames[node.frame.index()].function;
        // For each node whether one of the functions is on the stack.
        let mut is_within: Vec<bool> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let parent = node.parent.is_some_and(|parent| is_within[parent as usize]);
            is_within.push(parent || self.least_ns.contains_key(&function(node)));
        }
        let mut sums = BTreeMap::<FunctionId, [u64; 2]>::new();
        let mut has = self.has();
        let moments = self.model.timeline.iter().flat_map(|it| it.at_nodes(&self.model.stacks));
        for moment in moments {
            let leaf = &nodes[moment.stack as usize];
            let is_slow = has(&moment, leaf);
            if !is_slow && !is_within[moment.stack as usize] {
                continue;
            }
            // Each function of the stack once, down to the timed one.
            let mut seen = Vec::new();
            let mut at = Some(moment.stack);
            while let Some(place) = at.filter(|place| is_within[*place as usize]) {
                let node = &nodes[place as usize];
                if !seen.contains(&function(node)) {
                    seen.push(function(node));
                }
                at = node.parent;
            }
            for id in seen {
                sums.entry(id).or_default()[usize::from(!is_slow)] += u64::from(moment.samples);
            }
        }
        let slow = self.number();
        Contrast {
            slow,
            others: all.saturating_sub(slow),
            lost: self.number_by_histograms().saturating_sub(slow),
            functions: sums.into_iter().collect(),
        }
    }
}
