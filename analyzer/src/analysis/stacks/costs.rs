//! Times of functions and of calls between them, measured.
//!
//! * The **total** of a function has each sample once that finds it on the stack, however often it is there.
//! * **Lines** add up: each sample with a function on its stack is charged to one caller, that of its
//!   outermost call, and to one callee, that of its innermost call, or to the function itself. Where a
//!   function calls itself there is a line without time.
//! * **Arcs** have each sample once that finds the caller right above the callee anywhere. With recursion
//!   those of a function can add up to more than its total.

use super::precision::Precision;
use super::sums::Sums;
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
    pub(super) own: Vec<Looks>,
    pub(super) totals: Vec<Looks>,
    pub(super) callers: Vec<Vec<Line<Caller>>>,
    pub(super) callees: Vec<Vec<Line<FunctionId>>>,
    pub(super) arcs: Vec<MeasuredArc>,
    pub(super) threads: Vec<Looks>,
    pub(super) all: Looks,
    pub(super) overhead: Looks,
    pub(super) incomplete: Looks,
    pub(super) precision: Precision,
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
            ThreadChoice::Only(threads) => {
                let by_thread = contexts.overhead_by_thread();
                by_thread.filter(|(id, _)| threads.contains(id)).map(|(_, looks)| looks).sum()
            }
        };
        sums.finish(threads, all, overhead, precision)
    }

    /// Takes the errors from the samples of the whole run, of which these costs are a part.
    #[must_use]
    pub fn as_part_of(self, whole: &Self) -> Self {
        Self { precision: whole.precision, ..self }
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

    /// Samples of each thread, by its number; 0 for a thread that was not chosen.
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
