//! The data file: where it goes, whatever the program does to its surroundings, what it is called,
//! and that nothing but it is touched.

mod descriptors;
mod names;
mod obstacles;
mod rights;
mod silence;

use std::{
    ffi::OsString,
    fs,
    path::Path,
    process::{Command, Output},
};

use support::{command::output_of, program::Program, suite::Suite};

const SUITE: Suite = Suite("output");

/// What every run of `steps.c` counts, beside the steps.
const WORK: u64 = 10;

/// Its exit status, whatever befell its file.
const STATUS: i32 = 17;

/// Runs the program with these steps; its status must be what it would have been.
#[track_caller]
fn run(command: &mut Command, steps: &[&str]) -> Output {
    let output = output_of(command.args(steps));
    assert_eq!(output.status.code(), Some(STATUS), "{steps:?}: {output:?}");
    output
}

/// Like [`run`]; there must be nothing to complain of.
#[track_caller]
fn run_in_silence(command: &mut Command, steps: &[&str]) -> Output {
    let output = run(command, steps);
    assert_eq!(complaint(&output), "", "{steps:?}");
    output
}

/// What the runtime has said, which must be one line at most.
#[track_caller]
fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.lines().count() <= 1, "{text}");
    text.trim_end().to_owned()
}

/// What the program wants preloaded.
fn preloaded_in(program: &Program) -> OsString {
    let command = program.command();
    let variable = command.get_envs().find(|(name, _)| *name == "LD_PRELOAD");
    variable.and_then(|(_, value)| value).unwrap_or_default().to_owned()
}

/// Checks that a profile was rescued from `place`, for this reason, and removes it.
#[track_caller]
fn is_rescued(program: &Program, said: &str, place: &Path, reason: &str) {
    let start = format!("gmon: cannot write {}: {reason}; the profile is in ", place.display());
    let file = said.strip_prefix(&start).unwrap_or_else(|| panic!("{said:?} is not {start:?}…"));
    is_whole(program, file);
    fs::remove_file(program.path(file)).expect("a file that can be removed");
}

/// Checks that a file holds what every run counts.
#[track_caller]
fn is_whole(program: &Program, file: &str) {
    let counts = program.counts(file);
    assert_eq!((counts.of("main", "work"), counts.calls("main")), (WORK, 1), "{file}");
}
