//! Robustness: hooks in threads that come and go, under signals at every instruction, on the smallest
//! stacks, before the program has begun, inside its allocator, and under tools that watch it.

#[path = "../support/mod.rs"]
mod support;

mod interruptions;
mod libraries;
mod registers;
mod startup;
mod threads;
mod tools;

use std::process::Command;

use support::{command::output_of, suite::Suite};

const SUITE: Suite = Suite("robustness");

/// Runs a program that must succeed, and gives what it prints. On its standard error stream may be
/// how much time was spent outside the program's own code: that depends on the machine.
#[track_caller]
fn run(command: &mut Command) -> String {
    let output = output_of(command);
    let said = String::from_utf8_lossy(&output.stderr);
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}: {}\n{stdout}{said}", output.status);
    let unexpected = said.lines().find(|line| !line.contains(" seconds of CPU time were spent "));
    assert_eq!(unexpected, None, "{command:?}");
    stdout
}
