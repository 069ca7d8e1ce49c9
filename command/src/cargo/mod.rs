//! `cargo gmon`: instruments and builds a Rust project, runs it and shows where its time went.
//!
//! Cargo does what it always does; it only calls this command in two other roles, as the wrapper of
//! rustc and as the runner of what was built:
//!
//! ```text
//! cargo gmon run ─ probe rustc ─→ cargo run ─┬→ wrapper, for each crate ─→ rustc with hooks
//!                                            └→ runner ─→ the program ─→ gmon.out ─→ summary
//! ```
//!
//! `cargo gmon pgo` does so several times, with other flags each time.

mod arguments;
mod c_flags;
mod callbacks;
mod compilation;
mod config;
mod functions;
mod handover;
mod instrumentation;
mod invocation;
mod llvm_notes;
mod pgo;
mod project;
mod runner;
mod rustc;
mod settings;
mod wrapper;

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;

use settings::Settings;

pub(crate) use arguments::command;

/// Word that cargo puts before the arguments of a command of this name.
const NAME: &str = "gmon";

/// Words before a program's path if cargo is to run it.
const RUNNER: &str = "run-profiled";

/// The word by which `cargo gmon pgo` has two builds of a program compared.
const COMPARISON: &str = "compare-builds";

/// Does what the arguments ask for, in the role that they show.
pub(crate) fn run(words: Vec<OsString>) -> Result<ExitCode> {
    match words.as_slice() {
        [word, rest @ ..] if word == NAME => invocation::run(rest.to_owned()),
        [word, program @ ..] if word == RUNNER => runner::run(program),
        [word, arguments @ ..] if word == COMPARISON => pgo::compare(arguments),
        [rustc, arguments @ ..] => match Settings::from_environment() {
            Some(settings) => wrapper::run(&settings, rustc, arguments),
            None => invocation::run(words),
        },
        [] => invocation::run(words),
    }
}
