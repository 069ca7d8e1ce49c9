//! The call graph report: for each function who called it, what it called, and the time passed on.

use std::cmp::{Ordering, Reverse};

use crate::analysis::{ArcKind, CallGraph, CycleId, Entry, TimedArc};
use crate::profile::ArcId;
use crate::symbols::SymbolId;

/// The entries of the call graph, computed one at a time from the graph.
#[derive(Debug)]
pub struct CallGraphReport<'a> {
    graph: &'a CallGraph,
}

/// Lines around the primary line of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lines {
    /// Of a function: its callers and its callees.
    Function {
        /// The callers, in ascending order of the time that they gave it. Nobody if it was called by nobody
        /// who was compiled for profiling.
        callers: Vec<ArcLine>,
        /// The functions it called, in descending order of their time.
        callees: Vec<ArcLine>,
    },
    /// Of a cycle: its members, those with the most time first.
    Cycle(Vec<SymbolId>),
}

/// A caller or callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArcLine {
    /// The other function.
    pub function: SymbolId,
    /// The arc in the graph.
    pub arc: ArcId,
}

/// End of an arc that a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    ToCallers,
    ToCallees,
}

impl<'a> CallGraphReport<'a> {
    /// The report of a computed graph.
    #[must_use]
    pub fn new(graph: &'a CallGraph) -> Self {
        Self { graph }
    }

    pub(super) fn graph(&self) -> &'a CallGraph {
        self.graph
    }

    /// Subjects of the report, in order: entries with nothing to show are left out, unless the
    /// selections ask for them.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        self.graph.entries().iter().copied().filter(|&entry| self.has_entry(entry))
    }

    /// Returns `true` if there is anything to show of a function or cycle.
    pub(super) fn has_entry(&self, entry: Entry) -> bool {
        let costs = self.graph.costs(entry);
        let used = costs.all_calls() != 0 || costs.shown_self != 0.0 || costs.shown_children != 0.0;
        (used || self.graph.selections().unused) && costs.shown && !self.is_left_out(entry)
    }

    /// Returns `true` if an entry is left out because there are symbols of lines: then only
    /// functions have entries, neither lines nor cycles.
    fn is_left_out(&self, entry: Entry) -> bool {
        let symbols = self.graph.profile().symbols();
        let is_function = match entry {
            Entry::Function(id) => symbols.get(id).is_function,
            Entry::Cycle(_) => false,
        };
        symbols.has_lines() && !is_function
    }

    /// The lines around the primary line of an entry.
    #[must_use]
    pub fn lines(&self, entry: Entry) -> Lines {
        let arcs = self.graph.profile().arcs();
        match entry {
            Entry::Function(id) => Lines::Function {
                callers: self.arc_lines(arcs.parents(id).iter().copied(), Direction::ToCallers),
                callees: self.arc_lines(arcs.children(id), Direction::ToCallees),
            },
            Entry::Cycle(id) => Lines::Cycle(self.sorted_members(id)),
        }
    }

    fn arc_lines(
        &self,
        arcs: impl DoubleEndedIterator<Item = ArcId>,
        direction: Direction,
    ) -> Vec<ArcLine> {
        let line = |id| {
            let arc = self.graph.profile().arcs().get(id);
            let function = match direction {
                Direction::ToCallers => arc.caller,
                Direction::ToCallees => arc.callee,
            };
            ArcLine { function, arc: id }
        };
        let mut lines: Vec<_> = arcs.rev().map(line).collect();
        let weight = |line: &ArcLine| weight(&self.graph.arc(line.arc));
        match direction {
            Direction::ToCallers => lines.sort_by_cached_key(weight),
            Direction::ToCallees => lines.sort_by_cached_key(|line| Reverse(weight(line))),
        }
        lines
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

/// Distance of an arc from the primary line. Arcs within a cycle pass on no time, so only their
/// count matters. Times are never negative nor no number, and those are in the order of their bits.
fn weight(arc: &TimedArc) -> (ArcKind, u64, u64) {
    (arc.kind, (arc.own + arc.children).to_bits(), arc.arc.count)
}
