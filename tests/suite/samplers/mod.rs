//! Samplers: whose time is seen, what they leave alone, and what takes their place where they do not
//! work. Sampled times depend on the machine's other work: they are only compared roughly.

mod choice;
mod rhythm;
mod signals;
mod threads;

use std::process::Output;

use support::{program::Program, suite::Suite};

const SUITE: Suite = Suite("samplers");

/// Builds one of the programs, linked with the runtime.
fn build(source: &str) -> Program {
    SUITE.build(source, "default", &["-pthread"])
}

/// Runs a program that must succeed, with these `GMON_OPTIONS`; gives what it prints and what is
/// said on stderr.
#[track_caller]
fn run(program: &Program, options: &str) -> (String, String) {
    texts(&program.run(&[], &[("GMON_OPTIONS", options)]))
}

#[track_caller]
fn texts(output: &Output) -> (String, String) {
    let [stdout, stderr] =
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert!(output.status.success(), "{}\n{stdout}{stderr}", output.status);
    (stdout, stderr)
}
