//! Programs whose hooks sleep until somebody wakes them: `gmon cc --dormant` and `cargo gmon --dormant` make them,
//! `gmon ctl --hooks` chooses functions of them. [`gmon_format::dormant`] says what a hook is.
//!
//! ```text
//! linked program ─→ file ─→ link    (room that compilers left ─→ hooks that sleep)
//!                       ├─→ choice  (patterns ─→ functions with hooks)
//!                       └─→ hooks   (running program ─→ functions whose hooks are awake)
//! ```

mod choice;
mod file;
mod hooks;
mod link;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use gmon_analyzer::symbols::Demangling;
use gmon_format::dormant::Processor;

pub(crate) use choice::{functions, patterns, timed};
pub(crate) use hooks::Hooks;
pub(crate) use link::put_to_sleep;

use crate::carried::Port;

/// The processor of a port, on which hooks are to sleep.
///
/// # Errors
/// They cannot there.
pub(crate) fn processor(port: &Port) -> Result<&'static Processor> {
    let processor = Processor::of(port.architecture).filter(|_| port.shared.is_some());
    let titles = || Processor::ALL.map(|processor| processor.title).join(", ");
    processor.with_context(|| {
        let target = port.target;
        format!(
            "--dormant makes programs for Linux on {}, not for {target}: leave it out",
            titles()
        )
    })
}

/// Returns `true` if a program was built with `--dormant`.
pub(crate) fn is_dormant(path: &Path) -> bool {
    let data = fs::read(path).unwrap_or_default();
    file::ProgramFile::read(&data).ok().flatten().is_some_and(|program| program.is_dormant())
}

/// Returns `true` if functions of a program call hooks at both ends, so that their calls can be timed.
pub(crate) fn is_instrumented(path: &Path) -> bool {
    let data = fs::read(path).unwrap_or_default();
    file::ProgramFile::read(&data).ok().flatten().is_some_and(|program| program.is_instrumented())
}

/// Functions of a program whose calls can be timed, and those for which that is not so.
#[derive(Debug)]
pub(crate) struct Timed {
    /// Number of functions with hooks that sleep.
    pub(crate) functions: usize,
    /// Names of those that have no exit which sleeps.
    pub(crate) without_exits: Vec<String>,
    /// The processor that it is for.
    pub(crate) processor: &'static Processor,
}

impl Timed {
    /// Functions of a program; `None` if it was built without `--dormant` or was stripped.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let data = fs::read(path).ok()?;
        let program = file::ProgramFile::read(&data).ok()?.filter(|it| it.is_dormant())?;
        let (functions, names) = program.times().ok()?;
        let readable =
            |name: &&[u8]| String::from_utf8_lossy(&Demangling::Auto.demangle(name)).into_owned();
        (functions != 0).then(|| Self {
            functions,
            without_exits: names.iter().map(readable).collect(),
            processor: program.processor,
        })
    }
}

/// Way to wake hooks.
pub(crate) const WAKE: &str =
    "wake functions with GMON_OPTIONS='hooks=*', or while it runs with gmon ctl PID on --hooks '*'";

/// Why a profile of a program has no calls, for a heading, and what to do where there is something.
pub(crate) fn why_no_calls(path: &Path) -> (&'static str, Option<&'static str>) {
    match is_dormant(path) {
        true => ("no calls were counted: its hooks were asleep", Some(WAKE)),
        false => ("no calls were counted: built without -pg", None),
    }
}
