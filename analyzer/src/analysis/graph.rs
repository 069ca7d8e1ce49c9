//! The call graph with everything computed that a report shows.

use std::sync::Arc as Shared;

use super::assign::SelfTimes;
use super::cycles::{CycleId, Numbering};
use super::order;
use super::propagate::{ArcKind, Flow, Passed, TimedArc};
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
    functions: Vec<Costs>,
    cycles: Vec<Costs>,
    members: Vec<Vec<SymbolId>>,
    cycle_of: Vec<Option<CycleId>>,
    passed: Vec<Passed>,
    total_ticks: f64,
    shown_ticks: f64,
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
        let arcs = profile.arcs();
        let self_times = SelfTimes::new(&profile, &selections.flat);
        let mut functions = function_costs(&profile, &self_times);
        let numbering = Numbering::new(arcs, functions.len());
        let cycle_of = cycle_of(&numbering.cycles, functions.len());
        let mut cycles = cycle_costs(&profile, &numbering.cycles, &cycle_of);
        let mut flow = Flow {
            arcs,
            functions: &mut functions,
            cycles: &mut cycles,
            members: &numbering.cycles,
            cycle_of: &cycle_of,
        };
        let (passed, shown_ticks) = flow.run(&numbering.callees_first, &selections);
        let entries = order::entries(profile.symbols(), &functions, &cycles);
        let mut function_index = vec![0; functions.len()];
        let mut cycle_index = vec![0; cycles.len()];
        for (entry, number) in entries.iter().zip(1..) {
            match entry {
                Entry::Function(id) => function_index[id.index()] = number,
                Entry::Cycle(id) => cycle_index[id.index()] = number,
            }
        }
        Self {
            profile,
            selections,
            functions,
            cycles,
            members: numbering.cycles,
            cycle_of,
            passed,
            total_ticks: self_times.total,
            shown_ticks,
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
        &self.functions[id.index()]
    }

    /// Calls and times of one cycle.
    #[must_use]
    pub fn cycle(&self, id: CycleId) -> &Costs {
        &self.cycles[id.index()]
    }

    /// All cycles, in the order of their numbers.
    pub fn cycles(&self) -> impl ExactSizeIterator<Item = CycleId> + use<> {
        (0..self.cycles.len()).map(|index| CycleId(index as u32))
    }

    /// The functions of a cycle, in the order in which the search found them.
    #[must_use]
    pub fn members(&self, id: CycleId) -> &[SymbolId] {
        &self.members[id.index()]
    }

    /// The cycle that a function belongs to.
    #[must_use]
    pub fn cycle_of(&self, id: SymbolId) -> Option<CycleId> {
        self.cycle_of[id.index()]
    }

    /// All arcs and what they pass on, by caller.
    pub fn arcs(&self) -> impl Iterator<Item = TimedArc> + '_ {
        self.profile.arcs().ids().map(|id| self.arc(id))
    }

    /// An arc and what it passes on.
    #[must_use]
    pub fn arc(&self, id: ArcId) -> TimedArc {
        let arc = *self.profile.arcs().get(id);
        let called = match self.cycle_of(arc.callee) {
            Some(cycle) => self.cycle(cycle),
            None => self.function(arc.callee),
        };
        let Passed { own, children } = self.passed[id.index()];
        let kind = ArcKind::of(&arc, &self.cycle_of);
        TimedArc { arc, kind, out_of: called.calls, own, children }
    }

    /// All ticks, those outside all functions too.
    #[must_use]
    pub fn total_ticks(&self) -> f64 {
        self.total_ticks
    }

    /// The ticks of all functions whose time counts.
    #[must_use]
    pub fn shown_ticks(&self) -> f64 {
        self.shown_ticks
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

fn function_costs(profile: &Profile, self_times: &SelfTimes) -> Vec<Costs> {
    let with_self_time = |(id, &time)| Costs { calls: profile.calls(id), time, ..Costs::default() };
    let mut functions: Vec<_> =
        profile.symbols().ids().zip(&self_times.of).map(with_self_time).collect();
    for arc in profile.arcs().list().iter().filter(|arc| arc.is_self()) {
        let function = &mut functions[arc.callee.index()];
        function.calls = function.calls.saturating_sub(arc.count);
        function.self_calls = arc.count;
    }
    functions
}

fn cycle_of(cycles: &[Vec<SymbolId>], symbols: usize) -> Vec<Option<CycleId>> {
    let mut cycle_of = vec![None; symbols];
    for (members, number) in cycles.iter().zip(0..) {
        for member in members {
            cycle_of[member.index()] = Some(CycleId(number));
        }
    }
    cycle_of
}

fn cycle_costs(
    profile: &Profile,
    cycles: &[Vec<SymbolId>],
    cycle_of: &[Option<CycleId>],
) -> Vec<Costs> {
    let mut costs = vec![Costs::default(); cycles.len()];
    for arc in profile.arcs().list().iter().filter(|arc| !arc.is_self()) {
        if let Some(cycle) = cycle_of[arc.callee.index()] {
            let costs = &mut costs[cycle.index()];
            let inside = cycle_of[arc.caller.index()] == Some(cycle);
            let sum = if inside { &mut costs.self_calls } else { &mut costs.calls };
            *sum = sum.saturating_add(arc.count);
        }
    }
    for (members, costs) in cycles.iter().zip(&mut costs) {
        let alone = members.iter().map(|&member| profile.calls_from_nowhere(member));
        costs.calls = alone.fold(costs.calls, u64::saturating_add);
    }
    costs
}
