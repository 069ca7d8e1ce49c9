//! Times of functions and of calls between them, measured.
//!
//! * The **total** of a function has each sample once that finds it on the stack, however often it is there.
//! * **Lines** add up: each sample with a function on its stack is charged to one caller, that of its
//!   outermost call, and to one callee, that of its innermost call, or to the function itself. Where a
//!   function calls itself there is a line without time.
//! * **Arcs** have each sample once that finds the caller right above the callee anywhere. With recursion
//!   those of a function can add up to more than its total.

use std::collections::{BTreeMap, HashMap};

use super::precision::Precision;
use super::walk::{Step, Tree};
use crate::profile::{Context, Contexts, FunctionId};
use crate::records::{Looks, ThreadId};

/// Whose stacks are looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ThreadChoice {
    /// Those of all threads.
    #[default]
    All,
    /// Those of some.
    Only(Vec<ThreadId>),
}

/// Who called a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Caller {
    /// Nobody: a thread starts with it.
    Start,
    /// Somebody unknown: the stack could not be followed any further. The function says why.
    Unknown(FunctionId),
    /// A function.
    Function(FunctionId),
}

/// A caller or a callee of a function, with its part of the function's total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<T> {
    /// Who.
    pub who: T,
    /// Its part.
    pub looks: Looks,
    /// Calls that were counted between the two; `None` if none were.
    pub calls: Option<u64>,
}

/// Calls between two functions, wherever they are on the stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredArc {
    /// Who called.
    pub caller: FunctionId,
    /// Who was called.
    pub callee: FunctionId,
    /// Samples in the callee and what it called in turn, on behalf of the caller.
    pub looks: Looks,
    /// Calls that were counted; `None` if none were.
    pub calls: Option<u64>,
}

/// Everything that stacks say about functions.
#[derive(Clone, Debug)]
pub struct StackCosts {
    own: Vec<Looks>,
    totals: Vec<Looks>,
    callers: Vec<Vec<Line<Caller>>>,
    callees: Vec<Vec<Line<FunctionId>>>,
    arcs: Vec<MeasuredArc>,
    threads: Vec<Looks>,
    all: Looks,
    overhead: Looks,
    incomplete: Looks,
    precision: Precision,
}

impl StackCosts {
    /// Computes everything of the stacks of some threads.
    #[must_use]
    pub fn new(contexts: &Contexts, choice: &ThreadChoice) -> Self {
        let wanted: Vec<bool> = contexts
            .threads()
            .iter()
            .zip(0..)
            .map(|(_, number)| match choice {
                ThreadChoice::All => true,
                ThreadChoice::Only(threads) => threads.contains(&ThreadId(number)),
            })
            .collect();
        let list = contexts.contexts();
        let is_wanted =
            |context: &Context| wanted.get(context.thread.index()).copied().unwrap_or(true);
        let tree = Tree::new(list, is_wanted);
        let mut sums = Sums::new(contexts, &tree);
        tree.walk(list, |step| match step {
            Step::Enter(context) => sums.enter(context),
            Step::Leave(context) => sums.leave(context),
        });
        let mut threads = vec![Looks::default(); contexts.threads().len()];
        for context in list.iter().filter(|context| is_wanted(context)) {
            if let Some(sum) = threads.get_mut(context.thread.index()) {
                *sum += context.own;
            }
        }
        let all: Looks = starts(list).map(|start| tree.total[start as usize]).sum();
        let measured = contexts.threads().iter().zip(&wanted).filter(|(_, wanted)| **wanted);
        let precision = Precision::of_threads(all, measured.map(|(thread, _)| thread));
        let overhead = match choice {
            ThreadChoice::All => contexts.overhead(),
            ThreadChoice::Only(_) => Looks::default(),
        };
        sums.finish(threads, all, overhead, precision)
    }

    /// Samples in a function itself.
    #[must_use]
    pub fn own(&self, function: FunctionId) -> Looks {
        self.own[function.index()]
    }

    /// Samples in a function and in all that it called.
    #[must_use]
    pub fn total(&self, function: FunctionId) -> Looks {
        self.totals[function.index()]
    }

    /// The callers of a function, the most time first. Their times add up to the function's total.
    #[must_use]
    pub fn callers(&self, function: FunctionId) -> &[Line<Caller>] {
        &self.callers[function.index()]
    }

    /// What a function called, the most time first. Their times and that in the function itself add up to
    /// its total.
    #[must_use]
    pub fn callees(&self, function: FunctionId) -> &[Line<FunctionId>] {
        &self.callees[function.index()]
    }

    /// Calls between functions, by caller and callee.
    #[must_use]
    pub fn arcs(&self) -> &[MeasuredArc] {
        &self.arcs
    }

    /// Samples of each thread, by its number; none of those that were not chosen.
    #[must_use]
    pub fn threads(&self) -> &[Looks] {
        &self.threads
    }

    /// All samples of the chosen threads, but for those in the profiler's hooks.
    #[must_use]
    pub fn all(&self) -> Looks {
        self.all
    }

    /// Samples in the profiler's own hooks, which are in no function's time.
    #[must_use]
    pub fn overhead(&self) -> Looks {
        self.overhead
    }

    /// Samples whose stacks could not be followed to their start, or not to their end.
    #[must_use]
    pub fn incomplete(&self) -> Looks {
        self.incomplete
    }

    /// How exact these figures are.
    #[must_use]
    pub fn precision(&self) -> &Precision {
        &self.precision
    }
}

/// The starts of all stacks.
fn starts(contexts: &[Context]) -> impl Iterator<Item = u32> + '_ {
    let starts = (0..).zip(contexts).filter(|(_, context)| context.parent.is_none());
    starts.map(|(position, _)| position)
}

/// What a walk adds up.
struct Sums<'a> {
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
    fn new(contexts: &'a Contexts, tree: &'a Tree) -> Self {
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

    /// Samples in the context itself: those that are in nothing below it.
    fn own_of(&self, context: u32) -> Looks {
        let mut own = self.tree.total[context as usize];
        for child in self.tree.children(context) {
            own -= self.tree.total[*child as usize];
        }
        own
    }

    fn enter(&mut self, context: u32) {
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

    fn leave(&mut self, context: u32) {
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

    fn finish(
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
