//! Adds up the times of functions and of calls on a walk over the stacks.

use std::collections::{BTreeMap, HashMap};

use super::costs::{Caller, Line, MeasuredArc, StackCosts};
use super::precision::Precision;
use super::tree::{Node, Stacks};
use super::walk::subtotals;
use crate::profile::FunctionId;
use crate::records::Looks;

/// Stacks, and what is known of their frames and functions.
#[derive(Clone, Copy)]
pub(crate) struct Sampled<'a> {
    pub(crate) stacks: &'a Stacks,
    /// The function of each frame.
    pub(crate) functions: &'a [FunctionId],
    /// For each function whether it stands where a stack could not be followed.
    pub(crate) is_incomplete: &'a [bool],
    /// For each function whether it is the profiler's own work.
    pub(crate) is_hook: &'a [bool],
    /// Number of threads.
    pub(crate) threads: usize,
    /// Calls that were counted.
    pub(crate) calls: &'a HashMap<(FunctionId, FunctionId), u64>,
}

/// Sums of a walk.
pub(super) struct Sums<'a> {
    sampled: Sampled<'a>,
    totals_below: Vec<Looks>,
    all: Looks,
    overhead: Looks,
    threads: Vec<Looks>,
    own: Vec<Looks>,
    totals: Vec<Looks>,
    callers: HashMap<(Caller, FunctionId), Looks>,
    /// Samples below are taken back when another call of the same function is met.
    callees: HashMap<(FunctionId, FunctionId), Looks>,
    arcs: HashMap<(FunctionId, FunctionId), (Looks, u32)>,
    incomplete: Looks,
    /// Number of incomplete nodes on the path.
    incomplete_depth: usize,
    /// The nodes from the start to the one that is visited.
    path: Vec<usize>,
    /// For each function, where on the path it is; the innermost last.
    on_path: Vec<Vec<u32>>,
}

impl<'a> Sums<'a> {
    pub(super) fn new(sampled: &Sampled<'a>) -> Self {
        let functions = sampled.is_incomplete.len();
        Self {
            sampled: *sampled,
            totals_below: subtotals(sampled.stacks.nodes()),
            all: Looks::default(),
            overhead: Looks::default(),
            threads: vec![Looks::default(); sampled.threads],
            own: vec![Looks::default(); functions],
            totals: vec![Looks::default(); functions],
            callers: HashMap::new(),
            callees: HashMap::new(),
            arcs: HashMap::new(),
            incomplete: Looks::default(),
            incomplete_depth: 0,
            path: Vec::new(),
            on_path: vec![Vec::new(); functions],
        }
    }

    fn function(&self, node: usize) -> FunctionId {
        self.sampled.functions[self.sampled.stacks.nodes()[node].frame.index()]
    }

    fn is_incomplete(&self, function: FunctionId) -> bool {
        self.sampled.is_incomplete[function.index()]
    }

    /// Tells if a node is in no function's time.
    fn is_hook(&self, node: usize) -> bool {
        self.sampled.is_hook[self.function(node).index()]
    }

    pub(super) fn enter(&mut self, node: usize) {
        let (function, total) = (self.function(node), self.totals_below[node]);
        let &Node { own, thread, .. } = &self.sampled.stacks.nodes()[node];
        if self.is_hook(node) {
            self.overhead += own;
            return;
        }
        self.threads[thread.index()] += own;
        self.own[function.index()] += own;
        if self.is_incomplete(function) {
            if self.incomplete_depth == 0 {
                self.incomplete += total;
            }
            self.incomplete_depth += 1;
        }
        let parent = self.path.last().map(|parent| self.function(*parent));
        match parent {
            None => self.all += total,
            Some(caller) => {
                *self.callees.entry((caller, function)).or_default() += total;
                let (looks, depth) = self.arcs.entry((caller, function)).or_default();
                if *depth == 0 {
                    *looks += total;
                }
                *depth += 1;
            }
        }
        match self.on_path[function.index()].last() {
            None => {
                self.totals[function.index()] += total;
                let caller = match parent {
                    None => Caller::Start,
                    Some(caller) if self.is_incomplete(caller) => Caller::Unknown(caller),
                    Some(caller) => Caller::Function(caller),
                };
                *self.callers.entry((caller, function)).or_default() += total;
            }
            // What the outer call did by way of this one is this one's.
            Some(&outer) => {
                let by_way_of = self.path.get(outer as usize + 1).copied().unwrap_or(node);
                let callee = (function, self.function(by_way_of));
                *self.callees.entry(callee).or_default() -= total;
            }
        }
        self.on_path[function.index()].push(self.path.len() as u32);
        self.path.push(node);
    }

    pub(super) fn leave(&mut self, node: usize) {
        if self.is_hook(node) {
            return;
        }
        let function = self.function(node);
        self.path.pop();
        self.on_path[function.index()].pop();
        if self.is_incomplete(function) {
            self.incomplete_depth -= 1;
        }
        if let Some(caller) = self.path.last().map(|parent| self.function(*parent)) {
            let (_, depth) = self.arcs.entry((caller, function)).or_default();
            *depth -= 1;
        }
    }

    /// The sums.
    pub(super) fn finish(self, precision: Precision) -> StackCosts {
        let Self { sampled, all, overhead, threads, own, totals, incomplete, .. } = self;
        let functions = own.len();
        let calls_of = |caller, callee| sampled.calls.get(&(caller, callee)).copied();
        let mut callers = vec![Vec::new(); functions];
        // Callers that were only counted have lines without time.
        let mut of_callers = BTreeMap::from_iter(self.callers);
        let mut of_callees = BTreeMap::from_iter(self.callees);
        let mut arcs: BTreeMap<_, _> =
            self.arcs.into_iter().map(|(pair, (looks, _))| (pair, looks)).collect();
        for &(caller, callee) in sampled.calls.keys() {
            of_callers.entry((Caller::Function(caller), callee)).or_default();
            of_callees.entry((caller, callee)).or_default();
            arcs.entry((caller, callee)).or_default();
        }
        // A function that calls itself only within another call of it has a line without time.
        for &(caller, callee) in arcs.keys().filter(|(caller, callee)| caller == callee) {
            of_callers.entry((Caller::Function(caller), callee)).or_default();
        }
        for ((who, function), looks) in of_callers {
            let calls = match who {
                Caller::Function(caller) => calls_of(caller, function),
                Caller::Start | Caller::Unknown(_) => None,
            };
            callers[function.index()].push(Line { who, looks, calls });
        }
        let mut callees = vec![Vec::new(); functions];
        for ((function, who), looks) in of_callees {
            let calls = calls_of(function, who);
            callees[function.index()].push(Line { who, looks, calls });
        }
        callers.iter_mut().for_each(|lines| sort(lines));
        callees.iter_mut().for_each(|lines| sort(lines));
        let arc = |((caller, callee), looks)| {
            let calls = calls_of(caller, callee);
            MeasuredArc { caller, callee, looks, calls }
        };
        let arcs = arcs.into_iter().map(arc).collect();
        StackCosts {
            own,
            totals,
            callers,
            callees,
            arcs,
            threads,
            all,
            overhead,
            incomplete,
            precision,
        }
    }
}

/// The most time first, then the most calls.
fn sort<T>(lines: &mut [Line<T>]) {
    lines.sort_by_cached_key(|line| std::cmp::Reverse((line.looks.weight, line.calls)));
}
