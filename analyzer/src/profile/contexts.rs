//! Call stacks told of functions: a tree of contexts, each a function with what called it.

use std::collections::HashMap;

use crate::records::{Incomplete, Looks, ModuleId, Thread, ThreadId};

/// A position in the list of functions that were on stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

/// A function that was on a stack, in any module, or what stands where a stack could not be followed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// The linker's name, or `module+0x1234` where no name is known; empty for an
    /// [incomplete](Self::incomplete) stack.
    pub name: Box<[u8]>,
    /// Where its code is; `None` if that is in no known module.
    pub module: Option<ModuleId>,
    /// Whether all its code here was inlined into its callers.
    pub is_inlined: bool,
    /// Why the stack could not be followed beyond this point; `None` for code.
    pub incomplete: Option<Incomplete>,
}

/// What tells functions apart.
type FunctionKey = (Box<[u8]>, Option<ModuleId>, Option<Incomplete>);

/// A function called from one context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// The function.
    pub function: FunctionId,
    /// The position of what called it, which is a smaller one; `None` for the start of a thread.
    pub parent: Option<u32>,
    /// The thread. That of the parent is the same.
    pub thread: ThreadId,
    /// Samples that found the thread here and in nothing that it called from here.
    pub own: Looks,
}

/// All stacks of a measurement.
#[derive(Clone, Debug, Default)]
pub struct Contexts {
    functions: Vec<Function>,
    ids: HashMap<FunctionKey, FunctionId>,
    contexts: Vec<Context>,
    threads: Vec<Thread>,
    /// Exact counts of calls by caller and callee.
    calls: HashMap<(FunctionId, FunctionId), u64>,
    overhead: Looks,
}

impl Contexts {
    /// No stacks yet, of these threads.
    #[must_use]
    pub fn new(threads: Vec<Thread>) -> Self {
        Self { threads, ..Self::default() }
    }

    /// The number of a function, which is added if it is new. One that was inlined here and not there is one.
    pub fn function(&mut self, function: Function) -> FunctionId {
        let Self { functions, ids, .. } = self;
        let is_inlined = function.is_inlined;
        let key = (function.name.clone(), function.module, function.incomplete);
        let id = *ids.entry(key).or_insert_with(|| {
            functions.push(function);
            FunctionId(functions.len() as u32 - 1)
        });
        functions[id.index()].is_inlined &= is_inlined;
        id
    }

    /// Adds samples to a context.
    ///
    /// # Panics
    /// If there is no such context.
    pub fn add_own(&mut self, context: u32, looks: Looks) {
        self.contexts[context as usize].own += looks;
    }

    /// Adds a context and returns its position. A parent that is not there counts as none.
    pub fn push(&mut self, context: Context) -> u32 {
        let position = self.contexts.len() as u32;
        let parent = context.parent.filter(|parent| *parent < position);
        self.contexts.push(Context { parent, ..context });
        position
    }

    /// Adds calls that were counted.
    pub fn add_calls(&mut self, caller: FunctionId, callee: FunctionId, count: u64) {
        let sum = self.calls.entry((caller, callee)).or_default();
        *sum = sum.saturating_add(count);
    }

    /// Adds time in the hooks of the profiler, which is no function's.
    pub fn add_overhead(&mut self, looks: Looks) {
        self.overhead += looks;
    }

    /// The functions, by their numbers.
    #[must_use]
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// The contexts, each behind its parent.
    #[must_use]
    pub fn contexts(&self) -> &[Context] {
        &self.contexts
    }

    /// The threads, by their numbers.
    #[must_use]
    pub fn threads(&self) -> &[Thread] {
        &self.threads
    }

    /// Calls of a function by another that were counted; `None` if none were, as of functions without
    /// hooks.
    #[must_use]
    pub fn calls(&self, caller: FunctionId, callee: FunctionId) -> Option<u64> {
        self.calls.get(&(caller, callee)).copied()
    }

    /// Calls of a function by anybody that were counted; `None` if none were.
    #[must_use]
    pub fn calls_of(&self, function: FunctionId) -> Option<u64> {
        let counts = self.calls.iter().filter(|((_, callee), _)| *callee == function);
        counts.map(|(_, count)| *count).reduce(u64::saturating_add)
    }

    /// Pairs of functions with the calls that were counted.
    pub fn all_calls(&self) -> impl Iterator<Item = ((FunctionId, FunctionId), u64)> + '_ {
        self.calls.iter().map(|(&pair, &count)| (pair, count))
    }

    /// Samples that met the profiler's own hooks.
    #[must_use]
    pub fn overhead(&self) -> Looks {
        self.overhead
    }
}

impl FunctionId {
    /// The position as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
