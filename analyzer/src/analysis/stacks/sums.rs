//! Adds up the times of functions and of calls on a walk over the stacks.

use std::collections::{BTreeMap, HashMap};

use super::costs::{Caller, Line, MeasuredArc, StackCosts};
use super::precision::Precision;
use super::walk::Tree;
use crate::profile::{Contexts, FunctionId};
use crate::records::Looks;

/// What a walk adds up.
pub(super) struct Sums<'a> {
    contexts: &'a Contexts,
    tree: &'a Tree,
    own: Vec<Looks>,
    totals: Vec<Looks>,
    callers: HashMap<(Caller, FunctionId), Looks>,
    /// Samples below are taken back when another call of the same function is met.
    callees: HashMap<(FunctionId, FunctionId), Looks>,
    arcs: HashMap<(FunctionId, FunctionId), (Looks, u32)>,
    incomplete: Looks,
    /// How many contexts on the path are incomplete.
    incomplete_depth: usize,
    /// The contexts from the start to the one that is visited.
    path: Vec<u32>,
    /// For each function, where on the path it is; the innermost last.
    on_path: Vec<Vec<u32>>,
}

impl<'a> Sums<'a> {
    pub(super) fn new(contexts: &'a Contexts, tree: &'a Tree) -> Self {
        let functions = contexts.functions().len();
        Self {
            contexts,
            tree,
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

    fn function(&self, context: u32) -> FunctionId {
        self.contexts.contexts()[context as usize].function
    }

    fn is_incomplete(&self, function: FunctionId) -> bool {
        self.contexts.functions()[function.index()].incomplete.is_some()
    }

    /// Samples in the context itself, in nothing below it.
    fn own_of(&self, context: u32) -> Looks {
        let mut own = self.tree.total[context as usize];
        for child in self.tree.children(context) {
            own -= self.tree.total[*child as usize];
        }
        own
    }

    pub(super) fn enter(&mut self, context: u32) {
        let function = self.function(context);
        let total = self.tree.total[context as usize];
        let parent = self.path.last().map(|parent| self.function(*parent));
        let own = self.own_of(context);
        self.own[function.index()] += own;
        if self.is_incomplete(function) {
            if self.incomplete_depth == 0 {
                self.incomplete += total;
            }
            self.incomplete_depth += 1;
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
                let by_way_of = self.path.get(outer as usize + 1).copied().unwrap_or(context);
                let callee = (function, self.function(by_way_of));
                *self.callees.entry(callee).or_default() -= total;
            }
        }
        for child in self.tree.children(context) {
            let looks = self.tree.total[*child as usize];
            if looks != Looks::default() {
                let callee = (function, self.function(*child));
                *self.callees.entry(callee).or_default() += looks;
            }
        }
        if let Some(caller) = parent {
            let (looks, depth) = self.arcs.entry((caller, function)).or_default();
            if *depth == 0 {
                *looks += total;
            }
            *depth += 1;
        }
        self.on_path[function.index()].push(self.path.len() as u32);
        self.path.push(context);
    }

    pub(super) fn leave(&mut self, context: u32) {
        let function = self.function(context);
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

    pub(super) fn finish(
        self,
        threads: Vec<Looks>,
        all: Looks,
        overhead: Looks,
        precision: Precision,
    ) -> StackCosts {
        let Self { contexts, own, totals, incomplete, .. } = self;
        let functions = contexts.functions().len();
        let mut callers = vec![Vec::new(); functions];
        // Callers that were only counted have lines without time.
        let mut of_callers = BTreeMap::from_iter(self.callers);
        let mut of_callees = BTreeMap::from_iter(self.callees);
        let mut arcs: BTreeMap<_, _> =
            self.arcs.into_iter().map(|(pair, (looks, _))| (pair, looks)).collect();
        for ((caller, callee), _) in contexts.all_calls() {
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
                Caller::Function(caller) => contexts.calls(caller, function),
                Caller::Start | Caller::Unknown(_) => None,
            };
            callers[function.index()].push(Line { who, looks, calls });
        }
        let mut callees = vec![Vec::new(); functions];
        for ((function, who), looks) in of_callees {
            let calls = contexts.calls(function, who);
            callees[function.index()].push(Line { who, looks, calls });
        }
        callers.iter_mut().for_each(|lines| sort(lines));
        callees.iter_mut().for_each(|lines| sort(lines));
        let arc = |((caller, callee), looks)| {
            let calls = contexts.calls(caller, callee);
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
    lines.sort_by_key(|line| std::cmp::Reverse((line.looks.weight, line.calls)));
}
