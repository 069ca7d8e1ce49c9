//! Passes the time of every function on to its callers, in proportion to their calls.

use super::cycles::{CycleId, Numbering};
use super::graph::Costs;
use crate::profile::{Arc, ArcId, Arcs};
use crate::selection::{Selections, Verdict};
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
struct Passed {
    own: f64,
    children: f64,
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

/// A graph of functions and their calls, through which times flow.
#[derive(Debug)]
pub(crate) struct Flow {
    pub(crate) functions: Vec<Costs>,
    pub(crate) cycles: Vec<Costs>,
    pub(crate) members: Vec<Vec<SymbolId>>,
    pub(crate) cycle_of: Vec<Option<CycleId>>,
    /// Time that each arc passes on.
    passed: Vec<Passed>,
    /// The sum of the self times that are shown.
    pub(super) shown_ticks: f64,
}

impl Flow {
    /// Passes the times of functions from callees to callers, and what is shown from callers to callees. Functions
    /// have their own times, and `calls` from nowhere. Everything is shown if nothing is selected.
    pub(crate) fn new(arcs: &Arcs, functions: Vec<Costs>, selections: Option<&Selections>) -> Self {
        let Numbering { callees_first, cycles: members } = Numbering::new(arcs, functions.len());
        let mut cycle_of = vec![None; functions.len()];
        for (list, number) in members.iter().zip(0..) {
            list.iter().for_each(|member| cycle_of[member.index()] = Some(CycleId(number)));
        }
        let passed = vec![Passed::default(); arcs.list().len()];
        let cycles = vec![Costs::default(); members.len()];
        let mut flow = Self { functions, cycles, members, cycle_of, passed, shown_ticks: 0.0 };
        flow.sum_calls(arcs);
        flow.pass_down_selections(arcs, &callees_first, selections);
        flow.sum_cycles();
        callees_first.into_iter().for_each(|caller| flow.pass_up_times(arcs, caller));
        flow
    }

    /// An arc and what it passes on.
    pub(crate) fn timed(&self, arcs: &Arcs, id: ArcId) -> TimedArc {
        let arc = *arcs.get(id);
        let Passed { own, children } = self.passed[id.index()];
        TimedArc {
            arc,
            kind: self.kind(&arc),
            out_of: self.called(arc.callee).calls,
            own,
            children,
        }
    }

    fn kind(&self, arc: &Arc) -> ArcKind {
        let cycle = self.cycle_of[arc.caller.index()];
        if arc.is_self() {
            ArcKind::Itself
        } else if cycle.is_some() && cycle == self.cycle_of[arc.callee.index()] {
            ArcKind::Inside
        } else {
            ArcKind::Outside
        }
    }

    /// A function or, if it is in one, its cycle.
    fn called(&self, function: SymbolId) -> &Costs {
        match self.cycle_of[function.index()] {
            Some(cycle) => &self.cycles[cycle.index()],
            None => &self.functions[function.index()],
        }
    }

    /// Adds up the calls of functions and cycles, those from elsewhere and those from within.
    fn sum_calls(&mut self, arcs: &Arcs) {
        for (members, cycle) in self.members.iter().zip(&mut self.cycles) {
            let alone = members.iter().map(|member| self.functions[member.index()].calls);
            cycle.calls = alone.fold(0, u64::saturating_add);
        }
        for arc in arcs.list() {
            let kind = self.kind(arc);
            let function = &mut self.functions[arc.callee.index()];
            function.add_calls(arc.count, kind == ArcKind::Itself);
            if let (Some(cycle), false) = (self.cycle_of[arc.callee.index()], arc.is_self()) {
                self.cycles[cycle.index()].add_calls(arc.count, kind == ArcKind::Inside);
            }
        }
    }

    /// Decides, callers first, which functions are shown and which fraction of their time counts.
    fn pass_down_selections(
        &mut self,
        arcs: &Arcs,
        callees_first: &[SymbolId],
        selections: Option<&Selections>,
    ) {
        let all = (Verdict::Accepted, Verdict::Accepted);
        let mut inherited_by = None;
        for &id in callees_first.iter().rev() {
            let cycle = self.cycle_of[id.index()];
            // Members of a cycle lie together and inherit together.
            if cycle.is_none() || cycle != inherited_by {
                inherited_by = cycle;
                self.inherit(arcs, id);
            }
            let verdicts = selections.map_or(all, |it| (it.graph.verdict(id), it.time.verdict(id)));
            let function = &mut self.functions[id.index()];
            function.select(verdicts);
            self.shown_ticks += function.shown_self;
        }
    }

    /// Takes over from the callers of a function, or of its whole cycle.
    fn inherit(&mut self, arcs: &Arcs, id: SymbolId) {
        let Some(cycle) = self.cycle_of[id.index()] else {
            let calls = self.functions[id.index()].calls;
            let (shown, fraction) = self.inherited(arcs, &[id], calls, |caller| caller == id);
            self.functions[id.index()].inherit(shown, fraction);
            return;
        };
        let members = &self.members[cycle.index()];
        let calls = self.cycles[cycle.index()].calls;
        let inside = |caller: SymbolId| self.cycle_of[caller.index()] == Some(cycle);
        let (shown, fraction) = self.inherited(arcs, members, calls, inside);
        self.cycles[cycle.index()].inherit(shown, fraction);
        for member in members {
            self.functions[member.index()].inherit(shown, fraction);
        }
    }

    /// Returns `true` if any caller is shown, and the callers' fractions weighted by their calls.
    fn inherited(
        &self,
        arcs: &Arcs,
        callees: &[SymbolId],
        calls: u64,
        inside: impl Fn(SymbolId) -> bool,
    ) -> (bool, f64) {
        let (mut shown, mut fraction) = (false, 0.0);
        for &id in callees.iter().flat_map(|&callee| arcs.parents(callee)) {
            let &Arc { caller, count, .. } = arcs.get(id);
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
        for (cycle, members) in self.cycles.iter_mut().zip(&self.members) {
            for member in members.iter().map(|member| &self.functions[member.index()]) {
                if member.fraction != 0.0 {
                    cycle.time += member.time;
                }
            }
            cycle.shown_self = cycle.fraction * cycle.time;
        }
    }

    /// Collects the time that a function's callees pass on to it.
    fn pass_up_times(&mut self, arcs: &Arcs, caller: SymbolId) {
        let fraction = self.functions[caller.index()].fraction;
        if fraction == 0.0 {
            return;
        }
        let cycle = self.cycle_of[caller.index()];
        for id in arcs.children(caller) {
            let arc = arcs.get(id);
            let source = self.called(arc.callee);
            if arc.count == 0
                || source.calls == 0
                || self.kind(arc) != ArcKind::Outside
                || self.functions[arc.callee.index()].fraction == 0.0
            {
                continue;
            }
            let part = arc.count as f64 / source.calls as f64;
            let own = source.time * part;
            let children = source.child_time * part;
            let share = own + children;
            let shown_share = fraction * share;
            self.passed[id.index()] = Passed { own: own * fraction, children: children * fraction };
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
    /// Adds calls, by itself or from elsewhere.
    fn add_calls(&mut self, calls: u64, by_itself: bool) {
        let sum = if by_itself { &mut self.self_calls } else { &mut self.calls };
        *sum = sum.saturating_add(calls);
    }

    /// Takes over what the callers decided.
    fn inherit(&mut self, shown: bool, fraction: f64) {
        self.shown = shown;
        self.fraction = fraction;
    }

    /// Applies the selections of the reader to what was inherited from the callers.
    fn select(&mut self, (graph, time): (Verdict, Verdict)) {
        self.shown = match graph {
            Verdict::Accepted => true,
            Verdict::Passed => self.shown,
            Verdict::Rejected => false,
        };
        match time {
            Verdict::Accepted if self.fraction == 0.0 => self.fraction = 1.0,
            Verdict::Rejected if self.fraction != 0.0 => self.fraction = 0.0,
            _ => {}
        }
        self.shown_self = self.time * self.fraction;
    }
}
