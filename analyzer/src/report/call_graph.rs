//! The call graph report: for each function who called it, what it called, and the time passed on.

use std::cmp::Ordering;

use crate::analysis::{CallGraph, CycleId, Entry};
use crate::profile::ArcId;
use crate::symbols::SymbolId;

/// The entries of the call graph, computed one at a time from the graph.
#[derive(Debug)]
pub struct CallGraphReport<'a> {
    graph: &'a CallGraph<'a>,
}

/// What stands around the primary line of an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Lines {
    /// Of a function: its callers and its callees.
    Function {
        /// The callers, those that gave it the most time last. Nobody if it was called by nobody
        /// who was compiled for profiling.
        callers: Vec<ArcLine>,
        /// The functions it called, those that took the most time first.
        callees: Vec<ArcLine>,
    },
    /// Of a cycle: its members, those with the most time first.
    Cycle(Vec<SymbolId>),
}

/// A caller or callee.
#[derive(Clone, Debug, PartialEq)]
pub struct ArcLine {
    /// The other function.
    pub function: SymbolId,
    /// Calls along this arc.
    pub count: u64,
    /// What is passed on along this arc; nothing between members of a cycle.
    pub passed: Option<Passed>,
}

/// What an arc passes on from the callee to the caller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passed {
    /// Time in the callee itself, in ticks.
    pub own: f64,
    /// Time in the functions the callee called, in ticks.
    pub children: f64,
    /// All calls of the callee, or of its cycle from outside.
    pub out_of: u64,
}

impl<'a> CallGraphReport<'a> {
    /// The report of a computed graph.
    #[must_use]
    pub fn new(graph: &'a CallGraph<'a>) -> Self {
        Self { graph }
    }

    pub(super) fn graph(&self) -> &'a CallGraph<'a> {
        self.graph
    }

    /// What the report is about, in order: entries with nothing to show are left out.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        self.graph.entries().iter().copied().filter(|&entry| {
            let costs = self.graph.costs(entry);
            let used =
                costs.all_calls() != 0 || costs.shown_self != 0.0 || costs.shown_children != 0.0;
            used && costs.shown
        })
    }

    /// The lines around the primary line of an entry.
    #[must_use]
    pub fn lines(&self, entry: Entry) -> Lines {
        let arcs = self.graph.profile().arcs();
        match entry {
            Entry::Function(id) => Lines::Function {
                callers: self.arc_lines(arcs.parents(id), Direction::ToCallers),
                callees: self.arc_lines(arcs.children(id), Direction::ToCallees),
            },
            Entry::Cycle(id) => Lines::Cycle(self.sorted_members(id)),
        }
    }

    fn arc_lines(&self, arcs: &[ArcId], direction: Direction) -> Vec<ArcLine> {
        let mut weighted: Vec<_> = arcs.iter().rev().map(|&arc| (self.weight(arc), arc)).collect();
        weighted.sort_by(|(a, _), (b, _)| match direction {
            Direction::ToCallers => a.compare(b),
            Direction::ToCallees => b.compare(a),
        });
        weighted.into_iter().map(|(_, arc)| self.arc_line(arc, direction)).collect()
    }

    fn arc_line(&self, id: ArcId, direction: Direction) -> ArcLine {
        let arc = self.graph.profile().arcs().get(id);
        let passed = (!self.is_inside(id)).then(|| {
            let time = self.graph.arc_time(id);
            let out_of = self.graph.outside_calls(arc.callee);
            Passed { own: time.own, children: time.children, out_of }
        });
        let function = match direction {
            Direction::ToCallers => arc.caller,
            Direction::ToCallees => arc.callee,
        };
        ArcLine { function, count: arc.count, passed }
    }

    /// Whether an arc leads from a function to itself or to another one of its cycle.
    fn is_inside(&self, id: ArcId) -> bool {
        let arc = self.graph.profile().arcs().get(id);
        let cycle = self.graph.cycle_of(arc.caller);
        arc.is_self() || (cycle.is_some() && cycle == self.graph.cycle_of(arc.callee))
    }

    fn weight(&self, id: ArcId) -> Weight {
        let arc = self.graph.profile().arcs().get(id);
        let time = self.graph.arc_time(id);
        let kind = match (arc.is_self(), self.is_inside(id)) {
            (true, _) => ArcKind::Itself,
            (false, true) => ArcKind::Inside,
            (false, false) => ArcKind::Outside,
        };
        Weight { kind, time: time.own + time.children, count: arc.count }
    }

    /// Members with the most time first; at equal time those with the most calls.
    fn sorted_members(&self, id: CycleId) -> Vec<SymbolId> {
        let mut members = self.graph.members(id).to_vec();
        members.sort_by(|&a, &b| {
            let (a, b) = (self.graph.function(a), self.graph.function(b));
            (b.shown_total(), b.all_calls())
                .partial_cmp(&(a.shown_total(), a.all_calls()))
                .unwrap_or(Ordering::Equal)
        });
        members
    }
}

/// Which end of an arc a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    ToCallers,
    ToCallees,
}

/// What decides the place of an arc among those of one function.
#[derive(Clone, Copy, Debug)]
struct Weight {
    kind: ArcKind,
    time: f64,
    count: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ArcKind {
    Itself,
    Inside,
    Outside,
}

impl Weight {
    /// Arcs within a cycle pass on no time, so only their count matters.
    fn compare(&self, other: &Self) -> Ordering {
        let time = || match self.kind {
            ArcKind::Outside => self.time.partial_cmp(&other.time).unwrap_or(Ordering::Equal),
            _ => Ordering::Equal,
        };
        self.kind.cmp(&other.kind).then_with(time).then_with(|| self.count.cmp(&other.count))
    }
}
