//! The call graph with everything computed that a report shows.

use std::sync::Arc as Shared;

use super::assign::SelfTimes;
use super::cycles::CycleId;
use super::order;
use super::propagate::{Flow, TimedArc};
use crate::profile::{ArcId, Profile};
use crate::selection::Selections;
use crate::symbols::SymbolId;

/// Calls and times of a function or of a cycle as a whole. Times are in ticks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    /// Calls from elsewhere: not by the function itself or, for a cycle, by one of its members.
    pub calls: u64,
    /// Calls by the function itself or, for a cycle, from one member to another.
    pub self_calls: u64,
    /// Time in the function itself, or in all members.
    pub time: f64,
    /// Time in the functions it called, as far as it was for its sake.
    pub child_time: f64,
    /// The fraction of the time that counts; 0 or 1 unless the reader selected.
    pub fraction: f64,
    /// The fraction of `time` that counts.
    pub shown_self: f64,
    /// The fraction of `child_time` that counts.
    pub shown_children: f64,
    /// True if it has an entry in the call graph, if it has anything to show.
    pub shown: bool,
}

/// Subject of an entry of the call graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A function.
    Function(SymbolId),
    /// The functions of a cycle together.
    Cycle(CycleId),
}

/// Self times, cycles, times passed on to callers, and the order of entries.
#[derive(Debug)]
pub struct CallGraph {
    profile: Shared<Profile>,
    selections: Shared<Selections>,
    flow: Flow,
    total_ticks: f64,
    entries: Vec<Entry>,
    function_index: Vec<u32>,
    cycle_index: Vec<u32>,
}

impl Costs {
    /// All calls.
    #[must_use]
    pub fn all_calls(&self) -> u64 {
        self.calls.saturating_add(self.self_calls)
    }

    /// The time that counts, of the function and of those it called.
    #[must_use]
    pub fn shown_total(&self) -> f64 {
        self.shown_self + self.shown_children
    }
}

impl CallGraph {
    /// Computes everything.
    #[must_use]
    pub fn new(
        profile: impl Into<Shared<Profile>>,
        selections: impl Into<Shared<Selections>>,
    ) -> Self {
        let (profile, selections) = (profile.into(), selections.into());
        let self_times = SelfTimes::new(&profile, &selections.flat);
        let with_self_time = |(id, &time)| {
            let calls = profile.calls_from_nowhere(id);
            Costs { calls, time, ..Costs::default() }
        };
        let functions = profile.symbols().ids().zip(&self_times.of).map(with_self_time).collect();
        let flow = Flow::new(profile.arcs(), functions, Some(&selections));
        let entries = order::entries(profile.symbols(), &flow.functions, &flow.cycles);
        let mut function_index = vec![0; flow.functions.len()];
        let mut cycle_index = vec![0; flow.cycles.len()];
        for (entry, number) in entries.iter().zip(1..) {
            match entry {
                Entry::Function(id) => function_index[id.index()] = number,
                Entry::Cycle(id) => cycle_index[id.index()] = number,
            }
        }
        Self {
            profile,
            selections,
            flow,
            total_ticks: self_times.total,
            entries,
            function_index,
            cycle_index,
        }
    }

    /// The profile that the graph was computed from.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Selections of the reader.
    #[must_use]
    pub fn selections(&self) -> &Selections {
        &self.selections
    }

    /// Calls and times of one function.
    #[must_use]
    pub fn function(&self, id: SymbolId) -> &Costs {
        &self.flow.functions[id.index()]
    }

    /// Calls and times of one cycle.
    #[must_use]
    pub fn cycle(&self, id: CycleId) -> &Costs {
        &self.flow.cycles[id.index()]
    }

    /// All cycles, in the order of their numbers.
    pub fn cycles(&self) -> impl ExactSizeIterator<Item = CycleId> + use<> {
        (0..self.flow.cycles.len()).map(|index| CycleId(index as u32))
    }

    /// The functions of a cycle, in the order in which the search found them.
    #[must_use]
    pub fn members(&self, id: CycleId) -> &[SymbolId] {
        &self.flow.members[id.index()]
    }

    /// The cycle that a function belongs to.
    #[must_use]
    pub fn cycle_of(&self, id: SymbolId) -> Option<CycleId> {
        self.flow.cycle_of[id.index()]
    }

    /// All arcs and what they pass on, by caller.
    pub fn arcs(&self) -> impl Iterator<Item = TimedArc> + '_ {
        self.profile.arcs().ids().map(|id| self.arc(id))
    }

    /// An arc and what it passes on.
    #[must_use]
    pub fn arc(&self, id: ArcId) -> TimedArc {
        self.flow.timed(self.profile.arcs(), id)
    }

    /// All ticks, those outside all functions too.
    #[must_use]
    pub fn total_ticks(&self) -> f64 {
        self.total_ticks
    }

    /// The ticks of all functions whose time counts.
    #[must_use]
    pub fn shown_ticks(&self) -> f64 {
        self.flow.shown_ticks
    }

    /// All functions and cycles in the order of their entries, shown or not.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The number of an entry, from 1.
    #[must_use]
    pub fn index(&self, entry: Entry) -> u32 {
        match entry {
            Entry::Function(id) => self.function_index[id.index()],
            Entry::Cycle(id) => self.cycle_index[id.index()],
        }
    }

    /// Calls and times of what an entry is about.
    #[must_use]
    pub fn costs(&self, entry: Entry) -> &Costs {
        match entry {
            Entry::Function(id) => self.function(id),
            Entry::Cycle(id) => self.cycle(id),
        }
    }
}
