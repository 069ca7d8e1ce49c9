//! Call stacks of functions: a tree of contexts, each a function with what called it.

use std::collections::{BTreeMap, HashMap};

use gmon_format::FilePc;
use serde::{Deserialize, Serialize};

use crate::image::LocalId;
use crate::positions::{Distinct, positions};
use crate::records::{Incomplete, Looks, ModuleId, Thread, ThreadId};
use crate::totals::add;

positions! {
    /// A position in the list of functions that were on stacks.
    #[derive(Serialize, Deserialize)]
    FunctionId(pub u32),
}

/// A function that was on a stack, in any module, or what stands where a stack could not be followed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// The linker's name, or `module+0x1234` where no name is known; empty for an
    /// [incomplete](Self::incomplete) stack.
    pub name: Box<[u8]>,
    /// Module of its code; `None` if that is in no known module.
    pub module: Option<ModuleId>,
    /// Start of its code in the file of the module; `None` where no symbol tells, and for a function
    /// that was only inlined.
    pub address: Option<FilePc>,
    /// Number in its module, for a function that was only inlined and has a name that others may have.
    pub local: Option<LocalId>,
    /// True if all its code here was inlined into its callers.
    pub is_inlined: bool,
    /// Bytes of its largest copy that was inlined; 0 if none was met.
    pub inlined_size: u64,
    /// Why the stack could not be followed beyond this point; `None` for code.
    pub incomplete: Option<Incomplete>,
}

/// Facts that tell functions apart.
type FunctionKey =
    (Box<[u8]>, Option<ModuleId>, Option<FilePc>, Option<LocalId>, Option<Incomplete>);

/// Detail of stacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grain {
    /// Functions alone.
    #[default]
    Functions,
    /// Functions, and the line that was executed in each.
    Lines,
}

/// A line of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLine {
    /// A position in the [list of files](Contexts::files).
    pub file: u32,
    /// The number of the line, from 1.
    pub line: u32,
}

/// A line of the source, inlined or not, that calls a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceCall {
    /// The function that calls, which may be an inlined one.
    pub caller: FunctionId,
    /// The function whose code the call is in: another one if the caller was inlined into it.
    pub within: FunctionId,
    /// The line, if it is known.
    pub line: Option<SourceLine>,
    /// The function that is called.
    pub callee: FunctionId,
}

/// A function called from one context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// The function.
    pub function: FunctionId,
    /// The line that was executed in it; `None` if it is not known, or of no interest.
    pub line: Option<SourceLine>,
    /// True if the function was inlined here.
    pub is_inlined: bool,
    /// The position of what called it, which is a smaller one; `None` for the start of a thread.
    pub parent: Option<u32>,
    /// The thread. That of the parent is the same.
    pub thread: ThreadId,
    /// Samples that found the thread here and in nothing that it called from here.
    pub own: Looks,
}

impl Context {
    /// A function that was not inlined, in no known line.
    #[must_use]
    pub fn new(function: FunctionId, parent: Option<u32>, thread: ThreadId, own: Looks) -> Self {
        Self { function, line: None, is_inlined: false, parent, thread, own }
    }
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
    /// Exact counts of calls by place.
    sites: BTreeMap<SourceCall, u64>,
    files: Distinct<Vec<u8>>,
    /// Looks by thread.
    overhead: BTreeMap<ThreadId, Looks>,
    /// Contexts of the nodes of the records, by their positions, if there are samples with times that name them; none for time
    /// in hooks.
    places: Vec<Option<u32>>,
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
        let (is_inlined, size) = (function.is_inlined, function.inlined_size);
        let Function { module, address, local, incomplete, .. } = function;
        let key = (function.name.clone(), module, address, local, incomplete);
        let id = *ids.entry(key).or_insert_with(|| {
            functions.push(function);
            FunctionId(functions.len() as u32 - 1)
        });
        let known = &mut functions[id.index()];
        known.is_inlined &= is_inlined;
        known.inlined_size = known.inlined_size.max(size);
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
        add(self.calls.entry((caller, callee)).or_default(), count);
    }

    /// Says from which place counted calls come. [`add_calls`](Self::add_calls) counts them.
    pub(super) fn add_site(&mut self, site: SourceCall, count: u64) {
        add(self.sites.entry(site).or_default(), count);
    }

    /// The number of a source file.
    pub(super) fn file(&mut self, path: &[u8]) -> u32 {
        self.files.position(path)
    }

    /// Adds time of a thread in the hooks of the profiler, which belongs to no function.
    pub fn add_overhead(&mut self, thread: ThreadId, looks: Looks) {
        *self.overhead.entry(thread).or_default() += looks;
    }

    /// Says which contexts the nodes of the records are.
    pub(super) fn place_nodes(&mut self, places: Vec<Option<u32>>) {
        self.places = places;
    }

    /// Contexts of the nodes of the records, by their positions; none for time in hooks. Empty if no sample has a time.
    pub(crate) fn places(&self) -> &[Option<u32>] {
        &self.places
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

    /// Places of calls with the calls that were counted. Places have lines if contexts do.
    #[must_use]
    pub fn sites(&self) -> &BTreeMap<SourceCall, u64> {
        &self.sites
    }

    /// Paths of source files, as the compiler recorded them; none unless contexts have lines.
    #[must_use]
    pub fn files(&self) -> &[Vec<u8>] {
        self.files.list()
    }

    /// Samples that met the profiler's own hooks.
    #[must_use]
    pub fn overhead(&self) -> Looks {
        self.overhead.values().copied().sum()
    }

    /// The time of each thread in the hooks, if it has any there.
    pub(crate) fn overhead_by_thread(&self) -> impl Iterator<Item = (ThreadId, Looks)> + '_ {
        self.overhead.iter().map(|(&thread, &looks)| (thread, looks))
    }
}
