//! The model's parts, which are those of the JSON format `gmon-profile/1` as well.
//!
//! Numbers of things (`id`) are their positions in their lists. Times are integers: nanoseconds, or billionths
//! of the unit where something else than time was sampled.

use std::collections::HashMap;
use std::str;

use serde::{Deserialize, Serialize};

use super::address::Address;
use super::stacks::Stacks;
use crate::modules::short_name;

/// The name of the format.
pub const SCHEMA: &str = "gmon-profile/1";

/// A profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// The format, [`SCHEMA`].
    pub schema: String,
    /// Who made it.
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
    /// How long it lived.
    pub duration_ns: Option<u64>,
    /// What was sampled, and how inclusive times are known.
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
    /// What stacks consist of.
    pub frames: Vec<Frame>,
    /// Call stacks; none unless they were sampled.
    pub stacks: Stacks,
    /// Source lines.
    pub lines: Vec<Line>,
    /// The samples and executions of functions by line.
    pub places: Vec<Place>,
}

/// A program that made a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generator {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What the samples are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampling {
    /// Samples in each unit, normally each second; 0 without samples.
    pub rate_hz: u32,
    /// What one sample stands for.
    pub period_ns: u64,
    /// All samples. A signal that came late counts as several.
    pub samples: u64,
    /// Signals that took them, if that is known.
    pub signals: Option<u64>,
    /// By how much the error is larger than that of as many signals of one sample each, as a factor of the
    /// variance: 1 if they all count the same.
    pub dispersion: Option<f64>,
    /// Samples whose stacks could not be followed to their end.
    pub incomplete: u64,
    /// What was sampled, normally `seconds`.
    pub unit: String,
    /// Whether there are stacks.
    pub paths: Paths,
    /// How inclusive times are known.
    pub inclusive: Inclusive,
    /// Whether samples are of time on the wall, those of threads that waited among them, and not of CPU time.
    #[serde(default)]
    pub waits: bool,
}

/// What is known of call stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Paths {
    /// Nothing.
    None,
    /// Some were sampled.
    Sampled,
}

/// How it is known how much time a function and all that it called took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Inclusive {
    /// It is a guess: a function's time was divided among its callers by calls.
    Apportioned,
    /// It was measured: these samples found the function on the stack.
    Sampled,
}

/// A file of code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// Its number.
    pub id: u32,
    /// Its path.
    pub path: String,
    /// Its build id in hexadecimal digits; `text:` and a hash of its code if it has none.
    pub build_id: Option<String>,
    /// The machine that it is for, if the file was there to tell.
    pub arch: Option<String>,
}

/// What a function stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A function that has code of its own.
    Code,
    /// A function that was only inlined into others.
    Inlined,
    /// All code of a module that has no symbol, or all that is in no module.
    NoSymbol,
    /// The point where a stack could not be followed; the name says why.
    Incomplete,
    /// The profiler's own work.
    Hooks,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Its number.
    pub id: u32,
    /// Its module; `None` outside of all modules.
    pub module: Option<u32>,
    /// What it stands for.
    pub kind: Kind,
    /// The name that the linker knows.
    pub name: String,
    /// The name for people.
    pub display: String,
    /// Where it begins in the file of the module, as `nm` prints it.
    pub address: Option<Address>,
    /// The bytes of its code.
    pub size: Option<u64>,
    /// Its source file.
    pub file: Option<u32>,
    /// The line of its first code.
    pub line: Option<u32>,
    /// All its calls; `None` if none were counted, as of functions without hooks.
    pub calls: Option<u64>,
    /// Those of its calls that it made itself.
    pub recursive_calls: u64,
    /// Samples in the function itself.
    pub samples: u64,
    /// The time of these.
    pub self_ns: u64,
    /// The time of it and of all that it called.
    pub total_ns: u64,
    /// The cycle that it belongs to.
    pub cycle: Option<u32>,
}

/// Calls of a function from one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arc {
    /// Who called; `None` for code outside of all functions.
    pub caller: Option<u32>,
    /// Who was called.
    pub callee: u32,
    /// The source file of the call.
    pub file: Option<u32>,
    /// The line of the call.
    pub line: Option<u32>,
    /// How often; `None` if it was seen in stacks but not counted.
    pub calls: Option<u64>,
    /// The time in the callee and in what it called, on behalf of this line; `None` for calls within a cycle
    /// where time is apportioned.
    pub total_ns: Option<u64>,
    /// The function whose code has the call, if the caller was inlined into it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<u32>,
    /// Whether the callee was inlined here, so that this is no call in the code.
    #[serde(default, skip_serializing_if = "is_false")]
    pub inlined: bool,
}

/// Functions that all call each other, directly or through others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cycle {
    /// Its number.
    pub id: u32,
    /// Its functions.
    pub functions: Vec<u32>,
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
    pub id: u32,
    /// The number of its process.
    pub pid: u64,
    /// The number that the kernel gave it; 0 if it is not known.
    pub tid: u64,
    /// Its name; may be empty.
    pub name: String,
}

/// A function on a stack, at one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Frame {
    /// The function.
    pub function: u32,
    /// The source file, which is that of the function nearly always.
    pub file: Option<u32>,
    /// The line that was executed.
    pub line: Option<u32>,
    /// Whether the function was inlined into the frame before.
    pub inlined: bool,
}

/// What is known of a source line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The file.
    pub file: u32,
    /// The number of the line, from 1.
    pub line: u32,
    /// How often it was executed, if that was counted.
    pub executions: Option<u64>,
    /// Samples in its code.
    pub samples: u64,
}

/// What is known of the code that a function has of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The function, which is none that was inlined.
    pub function: u32,
    /// The file.
    pub file: Option<u32>,
    /// The line.
    pub line: Option<u32>,
    /// Samples.
    pub samples: u64,
    /// How often it was executed, if that was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executions: Option<u64>,
}

impl Model {
    /// Whether there are stacks.
    #[must_use]
    pub fn has_stacks(&self) -> bool {
        self.sampling.paths == Paths::Sampled
    }

    /// Whether there are neither samples nor calls.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sampling.samples == 0 && self.calls() == 0
    }

    /// All counted calls.
    #[must_use]
    pub fn calls(&self) -> u64 {
        let calls = self.functions.iter().filter_map(|function| function.calls);
        calls.fold(0, u64::saturating_add)
    }

    /// The module of a function, by the last part of its path; empty outside of all modules.
    #[must_use]
    pub fn module_name(&self, function: &Function) -> &str {
        let module = function.module.map(|id| &self.modules[id as usize]);
        module.map_or("", Module::name)
    }

    /// The last part of the program's path.
    #[must_use]
    pub fn program_name(&self) -> &str {
        self.program.rsplit('/').next().unwrap_or_default()
    }

    /// What to call a thread: its name, with its number if others have the same name, or only its number.
    #[must_use]
    pub fn thread_label(&self, id: u32) -> String {
        let thread = &self.threads[id as usize];
        let same = self.threads.iter().filter(|other| other.name == thread.name).count();
        match (thread.name.as_str(), same) {
            ("", _) => format!("thread {}", thread.tid),
            (name, 1) => name.to_owned(),
            (name, _) => format!("{name} ({})", thread.tid),
        }
    }

    /// The stacks by function: their frames are numbers of functions. Functions with one name for people are
    /// one. All threads are the first, unless `threads_apart`.
    #[must_use]
    pub fn stacks_by_function(&self, threads_apart: bool) -> Stacks {
        let mut first: HashMap<&str, u32> = HashMap::new();
        let known = self.functions.iter();
        let functions: Vec<u32> =
            known.map(|it| *first.entry(it.display.as_str()).or_insert(it.id)).collect();
        let function = |frame: u32| functions[self.frames[frame as usize].function as usize];
        self.stacks.renumbered(function, |thread| if threads_apart { thread } else { 0 })
    }

    /// The path of a file, if there is one.
    #[must_use]
    pub fn path(&self, file: Option<u32>) -> Option<&str> {
        file.map(|id| self.files[id as usize].as_str())
    }
}

impl Module {
    /// The last part of its path; `vdso` for the kernel's library.
    #[must_use]
    pub fn name(&self) -> &str {
        // Cut at an ASCII character, it is text still.
        str::from_utf8(short_name(self.path.as_bytes())).unwrap_or_default()
    }
}

impl Sampling {
    /// The time of some samples.
    #[must_use]
    pub fn time(&self, samples: u64) -> u64 {
        samples.saturating_mul(self.period_ns)
    }

    /// What a sample of time is a part of.
    #[must_use]
    pub fn clock(&self) -> &'static str {
        if self.waits { "time on the wall" } else { "CPU time" }
    }

    /// Whether samples stand for time.
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
