//! Times of calls, where a program was asked to take them.

use std::collections::HashMap;

use gmon_format::live::Timing;
use serde::{Deserialize, Serialize};

use super::document::{Function, Model};
use super::ids::{FunctionId, ModuleId, ThreadId};
use crate::records::{CodePlace, FullRecords, Times};

/// Times of the calls of a function in a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallTimes {
    /// The function.
    pub function: FunctionId,
    /// The thread that called it; `None` for several that have ended, or for all of a sum.
    pub thread: Option<ThreadId>,
    /// Numbers, and a histogram.
    pub times: Times,
}

/// Functions by the places where they begin.
pub(super) struct Starts<'m> {
    /// The positions of the records' modules.
    modules: &'m [ModuleId],
    functions: HashMap<(ModuleId, u64), FunctionId>,
}

impl<'m> Starts<'m> {
    pub(super) fn new(functions: &[Function], modules: &'m [ModuleId]) -> Self {
        let starts = (0..).map(FunctionId).zip(functions);
        let starts = starts.filter_map(|(id, it)| Some(((it.module?, it.address?.0), id)));
        Self { modules, functions: starts.collect() }
    }

    /// The function that begins at a place; none has code of which nobody has counted a call.
    pub(super) fn at(&self, place: CodePlace) -> Option<FunctionId> {
        let CodePlace::Module(module, pc) = place else { return None };
        self.functions.get(&(self.modules[module.index()], pc.0)).copied()
    }
}

/// The times of calls in records. Functions that are not known are left out.
pub(super) fn call_times(records: &FullRecords, starts: &Starts<'_>) -> Vec<CallTimes> {
    let all = records.call_times().filter_map(|it| {
        let function = starts.at(it.function)?;
        Some(CallTimes { function, thread: it.thread, times: it.times })
    });
    all.collect()
}

impl CallTimes {
    /// Returns `true` if it is of a model with so many functions and threads.
    pub(super) fn is_whole(&self, functions: usize, threads: usize) -> bool {
        let has_buckets = self.times.buckets.keys().all(|it| usize::from(*it) < Timing::BUCKETS);
        has_buckets
            && self.function.index() < functions
            && self.thread.is_none_or(|thread| thread.index() < threads)
    }
}

impl Model {
    /// The times of calls by function, added up over threads.
    #[must_use]
    pub fn times_by_function(&self) -> Vec<(FunctionId, Times)> {
        let mut all: Vec<(FunctionId, Times)> = Vec::new();
        let mut sorted: Vec<&CallTimes> = self.call_times.iter().collect();
        sorted.sort_unstable_by_key(|it| it.function);
        for CallTimes { function, times, .. } in sorted {
            match all.last_mut().filter(|(last, _)| last == function) {
                Some((_, sum)) => sum.absorb(times),
                None => all.push((*function, times.clone())),
            }
        }
        all
    }
}
