//! Passes the time of every function on to its callers, in proportion to their calls.

use super::cycles::CycleId;
use super::graph::Costs;
use crate::profile::{Arc, Arcs};
use crate::selection::{Filter, Selections, Verdict};
use crate::symbols::SymbolId;

/// An arc and the part of the callee's time that it passes on to the caller, in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedArc {
    /// The functions and the number of calls.
    pub arc: Arc,
    /// Relation of the two functions.
    pub kind: ArcKind,
    /// All calls of the callee, or of its cycle from outside.
    pub out_of: u64,
    /// Part of the callee's own time that is passed on; nothing along an arc within a cycle.
    pub own: f64,
    /// Part of the time of the functions the callee called that is passed on.
    pub children: f64,
}

/// The time that an arc passes on, in ticks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Passed {
    pub(super) own: f64,
    pub(super) children: f64,
}

/// Relation of the ends of an arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArcKind {
    /// A function calls itself.
    Itself,
    /// A function calls another one of its cycle.
    Inside,
    /// Anything else.
    Outside,
}

impl ArcKind {
    pub(super) fn of(arc: &Arc, cycle_of: &[Option<CycleId>]) -> Self {
        let cycle = cycle_of[arc.caller.index()];
        if arc.is_self() {
            Self::Itself
        } else if cycle.is_some() && cycle == cycle_of[arc.callee.index()] {
            Self::Inside
        } else {
            Self::Outside
        }
    }
}

/// The graph while times flow through it.
pub(super) struct Flow<'a> {
    pub(super) arcs: &'a Arcs,
    pub(super) functions: &'a mut [Costs],
    pub(super) cycles: &'a mut [Costs],
    pub(super) members: &'a [Vec<SymbolId>],
    pub(super) cycle_of: &'a [Option<CycleId>],
}

impl Flow<'_> {
    /// Passes times from callees to callers, and what is shown from callers to callees.
    ///
    /// Returns what each arc passes on, and the sum of the self times that are shown.
    pub(super) fn run(
        &mut self,
        callees_first: &[SymbolId],
        selections: &Selections,
    ) -> (Vec<Passed>, f64) {
        let shown_ticks = self.pass_down_selections(callees_first, selections);
        self.sum_cycles();
        let mut passed = vec![Passed::default(); self.arcs.list().len()];
        for &caller in callees_first {
            self.pass_up_times(caller, &mut passed);
        }
        (passed, shown_ticks)
    }

    /// Decides, callers first, which functions are shown and which fraction of their time counts.
    fn pass_down_selections(&mut self, callees_first: &[SymbolId], selections: &Selections) -> f64 {
        let mut shown_ticks = 0.0;
        let mut inherited_by = None;
        for &id in callees_first.iter().rev() {
            let cycle = self.cycle_of[id.index()];
            // Members of a cycle lie together and inherit together.
            if cycle.is_none() || cycle != inherited_by {
                inherited_by = cycle;
                self.inherit(id);
            }
            let function = &mut self.functions[id.index()];
            function.select(id, &selections.graph, &selections.time);
            shown_ticks += function.shown_self;
        }
        shown_ticks
    }

    /// Takes over from the callers of a function, or of its whole cycle.
    fn inherit(&mut self, id: SymbolId) {
        let Some(cycle) = self.cycle_of[id.index()] else {
            let calls = self.functions[id.index()].calls;
            let (shown, fraction) = self.inherited(&[id], calls, |caller| caller == id);
            self.functions[id.index()].inherit(shown, fraction);
            return;
        };
        let members = &self.members[cycle.index()];
        let calls = self.cycles[cycle.index()].calls;
        let inside = |caller: SymbolId| self.cycle_of[caller.index()] == Some(cycle);
        let (shown, fraction) = self.inherited(members, calls, inside);
        self.cycles[cycle.index()].inherit(shown, fraction);
        for member in members {
            self.functions[member.index()].inherit(shown, fraction);
        }
    }

    /// Returns `true` if any caller is shown, and the callers' fractions weighted by their calls.
    fn inherited(
        &self,
        callees: &[SymbolId],
        calls: u64,
        inside: impl Fn(SymbolId) -> bool,
    ) -> (bool, f64) {
        let (mut shown, mut fraction) = (false, 0.0);
        for &id in callees.iter().flat_map(|&callee| self.arcs.parents(callee)) {
            let &Arc { caller, count, .. } = self.arcs.get(id);
            if inside(caller) {
                continue;
            }
            let caller = &self.functions[caller.index()];
            shown |= caller.shown;
            if calls != 0 {
                fraction += caller.fraction * (count as f64 / calls as f64);
            }
        }
        (shown, fraction)
    }

    /// A cycle's own time is that of its members together.
    fn sum_cycles(&mut self) {
        for (cycle, members) in self.cycles.iter_mut().zip(self.members) {
            for member in members.iter().map(|member| &self.functions[member.index()]) {
                if member.fraction != 0.0 {
                    cycle.time += member.time;
                }
            }
            cycle.shown_self = cycle.fraction * cycle.time;
        }
    }

    /// Collects the time that a function's callees pass on to it.
    fn pass_up_times(&mut self, caller: SymbolId, passed: &mut [Passed]) {
        let fraction = self.functions[caller.index()].fraction;
        if fraction == 0.0 {
            return;
        }
        let cycle = self.cycle_of[caller.index()];
        for id in self.arcs.children(caller) {
            let arc = self.arcs.get(id);
            let callee = arc.callee.index();
            let source = match self.cycle_of[callee] {
                Some(cycle) => &self.cycles[cycle.index()],
                None => &self.functions[callee],
            };
            if arc.count == 0
                || source.calls == 0
                || ArcKind::of(arc, self.cycle_of) != ArcKind::Outside
                || self.functions[callee].fraction == 0.0
            {
                continue;
            }
            let part = arc.count as f64 / source.calls as f64;
            let own = source.time * part;
            let children = source.child_time * part;
            let share = own + children;
            let shown_share = fraction * share;
            passed[id.index()] = Passed { own: own * fraction, children: children * fraction };
            let receivers = [
                Some(&mut self.functions[caller.index()]),
                cycle.map(|cycle| &mut self.cycles[cycle.index()]),
            ];
            for receiver in receivers.into_iter().flatten() {
                receiver.child_time += share;
                receiver.shown_children += shown_share;
            }
        }
    }
}

impl Costs {
    /// Takes over what the callers decided.
    fn inherit(&mut self, shown: bool, fraction: f64) {
        self.shown = shown;
        self.fraction = fraction;
    }

    /// Applies the selections of the reader to what was inherited from the callers.
    fn select(&mut self, id: SymbolId, graph: &Filter, time: &Filter) {
        self.shown = match graph.verdict(id) {
            Verdict::Accepted => true,
            Verdict::Passed => self.shown,
            Verdict::Rejected => false,
        };
        match time.verdict(id) {
            Verdict::Accepted if self.fraction == 0.0 => self.fraction = 1.0,
            Verdict::Rejected if self.fraction != 0.0 => self.fraction = 0.0,
            _ => {}
        }
        self.shown_self = self.time * self.fraction;
    }
}
