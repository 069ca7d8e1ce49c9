//! Contents of full profiles: modules, threads, and the frames of stacks.

use std::ops::Range;

use gmon_format::live::{Label, Sampling};
use gmon_format::{Encoding, FilePc, LoadedPc};
use serde::{Deserialize, Serialize};

use super::looks::Looks;
use crate::positions::positions;

positions! {
    /// A position in the list of modules.
    #[derive(Serialize, Deserialize)]
    ModuleId(pub u32),
    /// A position in the list of threads.
    #[derive(Serialize, Deserialize)]
    ThreadId(pub u32),
}

/// A file that was loaded into a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its path, as the loader of the process knew it.
    pub path: Vec<u8>,
    /// Its build id; empty if it has none.
    pub build_id: Vec<u8>,
    /// Addresses in memory.
    pub extent: Range<FilePc>,
}

/// Facts in the first file about its program and its clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Encoding of the program's numbers in a file.
    pub encoding: Encoding,
    /// Meaning of a tick.
    pub sampling: Sampling,
    /// The number of the process.
    pub process: u64,
    /// The name of the program's file.
    pub name: Vec<u8>,
    /// The program's code.
    pub text: Range<CodePlace>,
    /// Stand-in for callers outside of it.
    pub external_caller: CodePlace,
    /// Difference between a return address and one inside the call.
    pub call_offset: u64,
}

/// A thread whose stacks were sampled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// The number of its process.
    pub process: u64,
    /// The number that the kernel gave it; 0 if the profile does not know the thread.
    pub id: u64,
    /// Its name.
    pub name: Vec<u8>,
    /// When the profile of its process began, in microseconds since the system started; 0 if that is not known.
    pub origin_us: u64,
    /// When it began, in nanoseconds since the profile began.
    pub begun_ns: u64,
    /// When it ended, in nanoseconds since the profile began; 0 if it ran on.
    pub ended_ns: u64,
    /// Nanoseconds that it ran on a processor.
    pub cpu_ns: u64,
    /// Signals that sampled it.
    pub signals: u64,
    /// The sum over its signals of the square of the ticks that each stood for.
    pub squared_weights: u64,
    /// The rank of its process in a parallel program, if a launcher gave it one.
    pub rank: Option<u32>,
}

/// Place of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CodePlace {
    /// An address in a module's file.
    Module(ModuleId, FilePc),
    /// An address in a process that is in no known module, or in one of several.
    Process(LoadedPc),
}

/// Point at which a stack could not be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Incomplete {
    /// Why; `None` for a reason that only a later version knows.
    pub label: Option<Label>,
}

/// Item of a stack at one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Frame {
    /// An address in the call that is executed, or the one that was interrupted.
    Code(CodePlace),
    /// The stack could not be followed.
    Incomplete(Incomplete),
}

/// A frame with what called it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackNode {
    /// The frame.
    pub frame: Frame,
    /// True if it was found by looking for what might be a return address.
    pub is_guess: bool,
    /// The position of what called it, which is a smaller one.
    pub parent: Option<u32>,
    /// The thread.
    pub thread: ThreadId,
    /// True if the thread waited when its stack was this one.
    pub waits: bool,
    /// Samples that ended here.
    pub own: Looks,
}

impl Incomplete {
    /// The reason, in the users' words.
    #[must_use]
    pub fn reason(self) -> &'static str {
        self.label.and_then(Label::reason).unwrap_or("for a reason that is not known")
    }
}

impl CodePlace {
    /// The place so many bytes further on.
    pub(super) fn plus(self, bytes: u64) -> Self {
        match self {
            Self::Module(module, pc) => Self::Module(module, FilePc(pc.0.wrapping_add(bytes))),
            Self::Process(pc) => Self::Process(LoadedPc(pc.0.wrapping_add(bytes))),
        }
    }
}

impl Module {
    /// Returns `true` of modules of one build id or, without build ids, of one path and the same pages.
    pub(super) fn is_of_build_of(&self, other: &Self) -> bool {
        const PAGE: u64 = 4096;
        if !self.build_id.is_empty() || !other.build_id.is_empty() {
            return self.build_id == other.build_id;
        }
        let pages = |it: &Self| (it.extent.start.0 / PAGE, it.extent.end.0.div_ceil(PAGE));
        let (ours, theirs) = (pages(self), pages(other));
        // Code that is no file grows, and of a file a part may lie elsewhere once more.
        let may_differ = self.path.starts_with(b"[") || ours.0 != theirs.0;
        self.path == other.path && (may_differ || ours.1 == theirs.1)
    }
}
