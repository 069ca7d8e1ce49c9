//! The model's parts, which are those of the JSON format `gmon-profile/2` as well.
//!
//! Numbers of things (`id`) are their positions in their lists. Times are integers: nanoseconds, or billionths
//! of the unit where something else than time was sampled.

use std::collections::{BTreeSet, HashMap};
use std::str;

use serde::{Deserialize, Serialize};

use super::address::Address;
use super::call_times::CallTimes;
use super::ids::{CycleId, FileId, FrameId, FunctionId, ModuleId, ThreadId};
pub use super::origin::Python;
use super::slow::LongCall;
use super::timeline::Timeline;
use crate::analysis::stacks::Stacks;
use crate::modules::short_name;

/// The name of the format.
pub const SCHEMA: &str = "gmon-profile/2";

/// Name of its first version, which is read as well: it knows less, and nothing otherwise.
pub(super) const FIRST_SCHEMA: &str = "gmon-profile/1";

/// A profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// The format, [`SCHEMA`].
    pub schema: String,
    /// True if it was read from the first version of the format, which tells less.
    #[serde(skip)]
    pub is_first_version: bool,
    /// Maker of the profile.
    pub generator: Generator,
    /// The path of the program.
    pub program: String,
    /// The words that the process was started with, if it is one and known.
    pub command: Option<Vec<String>>,
    /// The name of its machine.
    pub host: Option<String>,
    /// Its number.
    pub pid: Option<u64>,
    /// The number of its parent.
    pub parent_pid: Option<u64>,
    /// When it began, in nanoseconds since 1970.
    pub start_ns: Option<u64>,
    /// Time that it lived.
    pub duration_ns: Option<u64>,
    /// Resources of its processes, and how they were sampled.
    #[serde(default)]
    pub run: Run,
    /// Sampling, and how inclusive times are known.
    pub sampling: Sampling,
    /// The program and its libraries, the program first.
    pub modules: Vec<Module>,
    /// Paths of source files, as the compiler recorded them.
    pub files: Vec<String>,
    /// Functions, by module and address.
    pub functions: Vec<Function>,
    /// Calls between functions, by caller, callee and line of the call.
    pub arcs: Vec<Arc>,
    /// Functions that all call each other.
    pub cycles: Vec<Cycle>,
    /// Threads, if there are stacks.
    pub threads: Vec<Thread>,
    /// The ranks of a program of several processes, if a launcher gave them any.
    #[serde(default)]
    pub ranks: Vec<Rank>,
    /// Parallel regions of OpenMP that have samples.
    #[serde(default)]
    pub regions: Vec<Region>,
    /// Frames that stacks consist of.
    pub frames: Vec<Frame>,
    /// Call stacks; none unless they were sampled.
    pub stacks: Stacks,
    /// Source lines.
    pub lines: Vec<Line>,
    /// The samples and executions of functions by line.
    pub places: Vec<Place>,
    /// Executions of lines by the places where their functions were inlined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<LineCopy>,
    /// The times of samples, if they were kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeline: Option<Timeline>,
    /// The times of calls, of functions whose calls were timed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub call_times: Vec<CallTimes>,
    /// Timed calls that took a millisecond or more, by when they began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub long_calls: Vec<LongCall>,
}

/// A program that made a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generator {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// Resources that the processes used, and how they were sampled; nothing that differs between several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Run {
    /// The processes, if their number is known.
    pub processes: Option<u64>,
    /// Time on processors in the program's code, of all processes.
    pub user_ns: Option<u64>,
    /// Time on processors in the system, of all processes.
    pub system_ns: Option<u64>,
    /// The largest memory of a process.
    pub max_rss_kb: Option<u64>,
    /// Sampler that took the samples.
    pub sampler: Option<String>,
    /// The clock by which they were taken.
    pub clock: Option<String>,
    /// The signal that took them, by its number on that machine.
    pub signal: Option<u64>,
    /// Of several processes, how long all of them lived together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elapsed_ns: Option<u64>,
    /// Functions of libraries whose calls were not counted, as the program uses their addresses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_alone: Vec<String>,
    /// The processes of a sum by name, as its files told them.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub added: BTreeSet<String>,
    /// Python's interpreter, if the processes have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub python: Option<Python>,
}

/// Meaning of the samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// Samples in each unit, normally each second; 0 without samples.
    pub rate_hz: u32,
    /// Time that one sample stands for.
    pub period_ns: u64,
    /// All samples. A signal that came late counts as several.
    pub samples: u64,
    /// Signals that took them, if that is known.
    pub signals: Option<u64>,
    /// Factor of the variance by which the error is larger than that of as many signals of one sample
    /// each: 1 if they all count the same.
    pub dispersion: Option<f64>,
    /// Samples whose stacks could not be followed to their end.
    pub incomplete: u64,
    /// Samples in the profiler's own work. Shares of functions are shares of all others.
    #[serde(default)]
    pub hooks: u64,
    /// Samples of threads that waited, if threads were sampled then and it is known.
    #[serde(default)]
    pub waiting: Option<u64>,
    /// Samples of OpenMP's threads that waited for each other.
    #[serde(default)]
    pub openmp_waiting: u64,
    /// Unit of the samples, normally `seconds`.
    pub unit: String,
    /// Knowledge of stacks.
    pub paths: Paths,
    /// Knowledge of inclusive times.
    pub inclusive: Inclusive,
    /// True if samples are of time on the wall, those of threads that waited among them, and not of CPU time.
    #[serde(default)]
    pub waits: bool,
}

/// Knowledge of call stacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Paths {
    /// Nothing.
    #[default]
    None,
    /// Some were sampled.
    Sampled,
}

/// Knowledge of how much time a function and all that it called took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Inclusive {
    /// Guessed: a function's time was divided among its callers by calls.
    #[default]
    Apportioned,
    /// Measured: these samples found the function on the stack.
    Sampled,
}

/// A file of code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// Its number.
    pub id: ModuleId,
    /// Its path.
    pub path: String,
    /// Its build id in hexadecimal digits; `text:` and a hash of its code if it has none.
    pub build_id: Option<String>,
    /// The machine that it is for, if the file was there to tell.
    pub arch: Option<String>,
}

/// Meaning of a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A function that has code of its own.
    #[default]
    Code,
    /// A function that was only inlined into others.
    Inlined,
    /// All code of a module that has no symbol, or all by which it calls other modules, or all code that is in no module.
    NoSymbol,
    /// The point where a stack could not be followed; the name says why.
    Incomplete,
    /// The profiler's own work.
    Hooks,
}

/// A function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Its number.
    pub id: FunctionId,
    /// Its module; `None` outside of all modules.
    pub module: Option<ModuleId>,
    /// Its meaning.
    pub kind: Kind,
    /// The name that the linker knows.
    pub name: String,
    /// The name for people.
    pub display: String,
    /// Start in the file of the module, as `nm` prints it.
    pub address: Option<Address>,
    /// The bytes of its code; of a function that was only inlined those of its largest copy.
    pub size: Option<u64>,
    /// Its source file.
    pub file: Option<FileId>,
    /// The line of its first code.
    pub line: Option<u32>,
    /// All its calls; `None` if none were counted, as of functions without hooks.
    pub calls: Option<u64>,
    /// Calls of it that it made itself.
    pub recursive_calls: u64,
    /// Samples in the function itself.
    pub samples: u64,
    /// The time of these.
    pub self_ns: u64,
    /// The time of it and of all that it called.
    pub total_ns: u64,
    /// The part of its own time in which it waited.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub self_waiting_ns: u64,
    /// The part of its total time in which it, or what it called, waited.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub total_waiting_ns: u64,
    /// The part of its own time in which the kernel worked for its system calls.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub self_system_ns: u64,
    /// The part of its own time in which the kernel brought pages that it touched.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub self_faults_ns: u64,
    /// Parts of its total time of these two kinds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub total_system_ns: u64,
    /// The second of them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub total_faults_ns: u64,
    /// The cycle that it belongs to.
    pub cycle: Option<CycleId>,
    /// True if the compiler made it of a parallel region of OpenMP.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_region: bool,
}

/// Calls of a function from one line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arc {
    /// Caller; `None` for code outside of all functions.
    pub caller: Option<FunctionId>,
    /// The callee.
    pub callee: FunctionId,
    /// The source file of the call.
    pub file: Option<FileId>,
    /// The line of the call.
    pub line: Option<u32>,
    /// Number of calls; `None` if they were seen in stacks but not counted.
    pub calls: Option<u64>,
    /// The time in the callee and in what it called, on behalf of this line; `None` for calls within a cycle
    /// where time is apportioned.
    pub total_ns: Option<u64>,
    /// The part of the measured time that was spent waiting.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub waiting_ns: u64,
    /// Beside a measured time, the guess that GNU gprof makes of it from the calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub apportioned_ns: Option<u64>,
    /// The function whose code has the call, if the caller was inlined into it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<FunctionId>,
    /// True if the callee was inlined here, so that this is no call in the code.
    #[serde(default, skip_serializing_if = "is_false")]
    pub inlined: bool,
}

/// Functions that all call each other, directly or through others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cycle {
    /// Its number.
    pub id: CycleId,
    /// Its functions.
    pub functions: Vec<FunctionId>,
    /// Calls of one of them by another.
    pub calls_within: u64,
    /// The time in them.
    pub self_ns: u64,
    /// The time in them and in all that they called.
    pub total_ns: u64,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// Its number in the profile.
    pub id: ThreadId,
    /// The number of its process.
    pub pid: u64,
    /// The number that the kernel gave it; 0 if it is not known.
    pub tid: u64,
    /// Its name; may be empty.
    pub name: String,
    /// Time that it ran on a processor, by the system's clock; 0 if that is not known.
    #[serde(default)]
    pub cpu_ns: u64,
    /// The rank of its process, if a launcher gave it one.
    #[serde(default)]
    pub rank: Option<u32>,
}

/// A process of a parallel program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rank {
    /// Its number.
    pub rank: u32,
    /// Its time, without that in the profiler's own work.
    pub time_ns: u64,
    /// The part of it in calls of MPI.
    pub mpi_ns: u64,
}

/// A parallel region of OpenMP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// The function that the compiler made of it.
    pub function: FunctionId,
    /// Number of threads that are in regions or wait for others there.
    pub team: u32,
    /// The time of each thread in it, waits for others excluded; one without any is left out.
    pub threads: Vec<RegionThread>,
}

/// A thread in a parallel region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegionThread {
    /// The thread.
    pub thread: ThreadId,
    /// Its time in the region.
    pub time_ns: u64,
}

/// A function on a stack, at one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Frame {
    /// The function.
    pub function: FunctionId,
    /// The source file, which is that of the function nearly always.
    pub file: Option<FileId>,
    /// The line that was executed.
    pub line: Option<u32>,
    /// True if the function was inlined into the frame before.
    pub inlined: bool,
}

/// Facts about a source line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The file.
    pub file: FileId,
    /// The number of the line, from 1.
    pub line: u32,
    /// Number of executions, if they were counted.
    pub executions: Option<u64>,
    /// Samples in its code.
    pub samples: u64,
}

/// Facts about the code that a function has of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The function, which is none that was inlined.
    pub function: FunctionId,
    /// The file.
    pub file: Option<FileId>,
    /// The line.
    pub line: Option<u32>,
    /// Samples.
    pub samples: u64,
    /// Number of executions, if they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executions: Option<u64>,
}

/// Executions of the code that a place has of one line, because the line's function was inlined there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LineCopy {
    /// The file.
    pub file: FileId,
    /// The line.
    pub line: u32,
    /// The function that it became a part of, by its name for people; empty if debug information does not name it.
    pub into: String,
    /// The source file of the call.
    pub call_file: Option<FileId>,
    /// The line of the call.
    pub call_line: Option<u32>,
    /// Number of executions.
    pub executions: u64,
}

impl Model {
    /// Knowledge of stacks.
    #[must_use]
    pub fn has_stacks(&self) -> bool {
        self.sampling.paths == Paths::Sampled
    }

    /// Returns `true` if there are neither samples nor calls.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sampling.samples == 0 && self.calls() == 0
    }

    /// Function that stands for the profiler's own work, if that took time.
    #[must_use]
    pub fn hooks(&self) -> Option<&Function> {
        self.functions.iter().find(|function| function.kind == Kind::Hooks && function.samples > 0)
    }

    /// All counted calls.
    #[must_use]
    pub fn calls(&self) -> u64 {
        let calls = self.functions.iter().filter_map(|function| function.calls);
        calls.fold(0, u64::saturating_add)
    }

    /// Number of functions whose calls these are.
    #[must_use]
    pub fn called(&self) -> usize {
        self.functions
            .iter()
            .filter(|function| function.calls.is_some_and(|calls| calls > 0))
            .count()
    }

    /// The module of a function, by the last part of its path; empty outside of all modules.
    #[must_use]
    pub fn module_name(&self, function: &Function) -> &str {
        let module = function.module.map(|id| &self.modules[id.index()]);
        module.map_or("", Module::name)
    }

    /// Returns `true` for a function that is called by its place in its module, `sort+0x9ad0`, as it has no name.
    #[must_use]
    pub fn is_nameless(&self, function: &Function) -> bool {
        let rest = function.name.strip_prefix(self.module_name(function));
        function.module.is_some() && rest.is_some_and(|rest| rest.starts_with("+0x"))
    }

    /// The last part of the program's path.
    #[must_use]
    pub fn program_name(&self) -> &str {
        self.program.rsplit('/').next().unwrap_or_default()
    }

    /// Labels of threads: names, with numbers if others have the same, or only numbers. Unknown ones are 0, as no thread's.
    #[must_use]
    pub fn thread_labels(&self) -> Vec<String> {
        let mut same: HashMap<&str, usize> = HashMap::new();
        self.threads.iter().for_each(|it| *same.entry(&it.name).or_default() += 1);
        let label = |thread: &Thread| match (thread.name.as_str(), thread.tid, thread.id.0) {
            ("", 0, 0) => "main thread".to_owned(),
            ("", 0, number) => format!("thread {} of {}", number + 1, self.threads.len()),
            ("", tid, _) => format!("thread {tid}"),
            (name, ..) if same[name] == 1 => name.to_owned(),
            (name, tid, _) => format!("{name} ({tid})"),
        };
        self.threads.iter().map(label).collect()
    }

    /// The stacks by function: their frames are numbers of functions. Functions with one name for people are
    /// one. All threads are the first, unless `threads_apart`.
    #[must_use]
    pub fn stacks_by_function(&self, threads_apart: bool) -> Stacks {
        let functions = self.functions_by_display();
        // Frames of functions have the numbers of these.
        let function =
            |frame: FrameId| FrameId(functions[self.frames[frame.index()].function.index()].0);
        self.stacks.renumbered(function, |thread| if threads_apart { thread } else { ThreadId(0) })
    }

    /// For each function the first that has its name for people.
    pub(crate) fn functions_by_display(&self) -> Vec<FunctionId> {
        let mut first: HashMap<&str, FunctionId> = HashMap::new();
        let known = self.functions.iter();
        known.map(|it| *first.entry(it.display.as_str()).or_insert(it.id)).collect()
    }

    /// The path of a file, if there is one.
    #[must_use]
    pub fn path(&self, file: Option<FileId>) -> Option<&str> {
        file.map(|id| self.files[id.index()].as_str())
    }
}

impl Module {
    /// The last part of its path; of what is no file, as `[vdso]` and `[JIT]`, the name without the brackets that views put
    /// around it.
    #[must_use]
    pub fn name(&self) -> &str {
        // Cut at an ASCII character, it is text still.
        let name = str::from_utf8(short_name(self.path.as_bytes())).unwrap_or_default();
        name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name)
    }
}

impl Sampling {
    /// Sampling without samples.
    pub(super) fn none() -> Self {
        Self { unit: "seconds".to_owned(), ..Self::default() }
    }

    /// Samples of the program's own work, which is what shares are shares of.
    #[must_use]
    pub fn own(&self) -> u64 {
        self.samples.saturating_sub(self.hooks)
    }

    /// The time of some samples.
    #[must_use]
    pub fn time(&self, samples: u64) -> u64 {
        samples.saturating_mul(self.period_ns)
    }

    /// Clock that a sample of time is a part of.
    #[must_use]
    pub fn clock(&self) -> &'static str {
        if self.waits { "time on the wall" } else { "CPU time" }
    }

    /// Returns `true` if samples stand for time.
    #[must_use]
    pub fn is_time(&self) -> bool {
        self.unit == "seconds"
    }
}

impl Inclusive {
    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Apportioned => "apportioned",
            Self::Sampled => "sampled",
        }
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

pub(super) fn is_zero(value: &u64) -> bool {
    *value == 0
}
