//! Times of functions and of calls between them, measured.
//!
//! * The **total** of a function has each sample once that finds it on the stack, however often it is there.
//! * **Lines** add up: each sample with a function on its stack is charged to one caller, that of its
//!   outermost call, and to one callee, that of its innermost call, or to the function itself. Where a
//!   function calls itself there is a line without time.
//! * **Arcs** have each sample once that finds the caller right above the callee anywhere. With recursion
//!   those of a function can add up to more than its total.

use super::precision::Precision;
use super::sums::{Sampled, Sums};
use super::walk::{Step, walk};
use crate::profile::FunctionId;
use crate::records::{Looks, ThreadId};

/// Whose stacks are looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ThreadChoice {
    /// The stacks of all threads.
    #[default]
    All,
    /// The stacks of some.
    Only(Vec<ThreadId>),
}

impl ThreadChoice {
    fn has(&self, thread: ThreadId) -> bool {
        match self {
            Self::All => true,
            Self::Only(threads) => threads.contains(&thread),
        }
    }
}

/// Caller of a function.
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
    /// The caller or callee.
    pub who: T,
    /// Its part.
    pub looks: Looks,
    /// Calls that were counted between the two; `None` if none were.
    pub calls: Option<u64>,
}

/// Calls between two functions, wherever they are on the stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasuredArc {
    /// The caller.
    pub caller: FunctionId,
    /// The callee.
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
    pub(crate) fn of(sampled: &Sampled<'_>, choice: &ThreadChoice, precision: Precision) -> Self {
        let chosen = match choice {
            ThreadChoice::All => None,
            ThreadChoice::Only(_) => Some(sampled.stacks.of_threads(|thread| choice.has(thread))),
        };
        let stacks = chosen.as_ref().unwrap_or(sampled.stacks);
        let mut sums = Sums::new(&Sampled { stacks, ..*sampled });
        walk(stacks.nodes(), |step| match step {
            Step::Enter(node) => sums.enter(node),
            Step::Leave(node) => sums.leave(node),
        });
        sums.finish(precision)
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

    /// Callees of a function, the most time first. Their times and that in the function itself add up to
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

    /// Precision of these figures.
    #[must_use]
    pub fn precision(&self) -> &Precision {
        &self.precision
    }
}
