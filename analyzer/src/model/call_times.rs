//! Times of calls, where a program was asked to take them.

use std::collections::{BTreeMap, HashMap};

use gmon_format::FilePc;
use gmon_format::live::Timing;
use serde::{Deserialize, Serialize};

use super::document::{Function, Model};
use super::ids::{FunctionId, ModuleId, ThreadId};
use crate::measurement::Measurement;
use crate::program::Program;
use crate::records::{CodePlace, FullRecords, Times};

/// Times of the calls of a function in a thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallTimes {
    /// The function.
    pub function: FunctionId,
    /// The function that called it; `None` if that is not known, as when callers were not told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<FunctionId>,
    /// The thread that called it; `None` for several that have ended, or for all of a sum.
    pub thread: Option<ThreadId>,
    /// Numbers, and a histogram.
    pub times: Times,
}

/// Functions by the places where they begin.
pub(super) struct Starts<'m> {
    measurement: &'m Measurement,
    /// The positions of the records' modules.
    modules: &'m [ModuleId],
    functions: HashMap<(ModuleId, u64), FunctionId>,
}

impl<'m> Starts<'m> {
    pub(super) fn new(
        functions: &[Function],
        modules: &'m [ModuleId],
        measurement: &'m Measurement,
    ) -> Self {
        let starts = (0..).map(FunctionId).zip(functions);
        let starts = starts.filter_map(|(id, it)| Some(((it.module?, it.address?.0), id)));
        Self { measurement, modules, functions: starts.collect() }
    }

    /// The function that begins at a place, or that the compiler split what begins there from; none has code of which
    /// nobody has counted a call.
    pub(super) fn at(&self, place: CodePlace) -> Option<FunctionId> {
        let CodePlace::Module(module, pc) = place else { return None };
        self.around(module, pc)
    }

    /// The function with a call that returns to a place.
    fn before(&self, place: CodePlace) -> Option<FunctionId> {
        let CodePlace::Module(module, pc) = place else { return None };
        self.around(module, FilePc(pc.0.saturating_sub(1)))
    }

    fn around(&self, module: ModuleId, pc: FilePc) -> Option<FunctionId> {
        let program = self.measurement.modules().get(module).program();
        let symbols = program.map(Program::symbols);
        let start = symbols.and_then(|it| Some(it.get(it.owner(it.find(pc)?)).address));
        let key = (self.modules[module.index()], start.unwrap_or(pc).0);
        self.functions.get(&key).copied()
    }
}

/// The times of calls in records. Functions that are not known are left out; several calls in a caller are one.
pub(super) fn call_times(records: &FullRecords, starts: &Starts<'_>) -> Vec<CallTimes> {
    let mut all: BTreeMap<_, Times> = BTreeMap::new();
    for it in records.call_times() {
        let Some(function) = starts.at(it.function) else { continue };
        let caller = it.caller.and_then(|place| starts.before(place));
        all.entry((function, caller, it.thread)).or_default().absorb(&it.times);
    }
    let of = |((function, caller, thread), times)| CallTimes { function, caller, thread, times };
    all.into_iter().map(of).collect()
}

impl CallTimes {
    /// Returns `true` if it is of a model with so many functions and threads.
    pub(super) fn is_whole(&self, functions: usize, threads: usize) -> bool {
        let has_buckets = self.times.buckets.keys().all(|it| usize::from(*it) < Timing::BUCKETS);
        has_buckets
            && self.function.index() < functions
            && self.caller.is_none_or(|caller| caller.index() < functions)
            && self.thread.is_none_or(|thread| thread.index() < threads)
    }
}

impl Model {
    /// The times of calls by function, added up over callers and threads.
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
