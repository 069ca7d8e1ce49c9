//! Call stacks told of functions: a tree of contexts, each a function with what called it.

use std::collections::HashMap;

use gmon_format::live::Label;

/// A position in the list of functions that were on stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

/// A position in the list of modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleId(pub u32);

/// A position in the list of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadId(pub u32);

/// A function that was on a stack, in any module, or what stands where a stack could not be followed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Function {
    /// The linker's name, or `module+0x1234` where no name is known; empty for an
    /// [incomplete](Self::incomplete) stack.
    pub name: Box<[u8]>,
    /// Where its code is; `None` if that is in no known module.
    pub module: Option<ModuleId>,
    /// Whether all its code here was inlined into its callers.
    pub is_inlined: bool,
    /// Why the stack could not be followed beyond this point; `None` for code.
    pub incomplete: Option<Label>,
}

/// Samples: how many signals there were, and the time that they stand for.
///
/// A signal may stand for several periods of the clock, so the two differ; how exact a figure is follows
/// from the number of signals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// Signals.
    pub samples: u64,
    /// Time, in ticks of the histogram.
    pub weight: u64,
}

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

/// A thread whose stacks were sampled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// The number of its process, and its own.
    pub process: u64,
    /// The number that the kernel gave it.
    pub id: u64,
    /// Its name.
    pub name: Vec<u8>,
    /// Nanoseconds that it ran on a processor.
    pub cpu_ns: u64,
    /// Signals that sampled it.
    pub signals: u64,
    /// The sum over its signals of the square of the ticks that each stood for.
    pub squared_weights: u64,
}

/// All stacks of a measurement.
#[derive(Clone, Debug, Default)]
pub struct Contexts {
    functions: Vec<Function>,
    ids: HashMap<Function, FunctionId>,
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

    /// The number of a function, which is added if it is new.
    pub fn function(&mut self, function: Function) -> FunctionId {
        if let Some(&id) = self.ids.get(&function) {
            return id;
        }
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(function.clone());
        self.ids.insert(function, id);
        id
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

impl ThreadId {
    /// The position as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ModuleId {
    /// The position as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::AddAssign for Looks {
    fn add_assign(&mut self, other: Self) {
        self.samples = self.samples.saturating_add(other.samples);
        self.weight = self.weight.saturating_add(other.weight);
    }
}

impl std::ops::SubAssign for Looks {
    fn sub_assign(&mut self, other: Self) {
        self.samples = self.samples.saturating_sub(other.samples);
        self.weight = self.weight.saturating_sub(other.weight);
    }
}

impl std::iter::Sum for Looks {
    fn sum<I: Iterator<Item = Self>>(looks: I) -> Self {
        looks.fold(Self::default(), |mut sum, looks| {
            sum += looks;
            sum
        })
    }
}
