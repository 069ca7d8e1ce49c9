//! The program that does what its arguments say, and what becomes of its live file.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio},
};

use super::SUITE;
use support::{command::output_of, program::Program, suite::USUAL_MODES};

/// The file that the profile of the program lives in.
pub(crate) const LIVE: &str = "profile.live";

/// The program in all usual modes.
pub(crate) fn in_modes() -> impl Iterator<Item = Program> {
    SUITE.in_modes("steps.c", &USUAL_MODES)
}

/// The program in one mode, for what does not depend on how it was linked.
pub(crate) fn program() -> Program {
    SUITE.build("steps.c", "default", &[])
}

/// The program, to be run in live mode with these steps, which commas separate.
pub(crate) fn command(program: &Program, steps: &str) -> Command {
    let mut command = program.command();
    // Numbers that do not depend on the machine's speed.
    command.env("GMON_OPTIONS", format!("live={LIVE},sampler=none"));
    command.args(steps.split(", "));
    command
}

/// Runs the program in an empty folder.
pub(crate) fn run(program: &Program, steps: &str) -> Output {
    program.clear();
    output_of(&mut command(program, steps))
}

/// A run that waits now and then.
pub(crate) struct Waiting {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Waiting {
    /// Starts a program with at least one step `wait`.
    pub(crate) fn start(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("a program");
        let stdin = child.stdin.take().expect("a pipe");
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, stdin, stdout }
    }

    /// Lets the program go until it waits, and gives its number.
    pub(crate) fn reach(&mut self) -> u32 {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("a line");
        assert_eq!(line, "ready\n");
        self.child.id()
    }

    /// Lets the program go on.
    pub(crate) fn go_on(&mut self) {
        self.stdin.write_all(b"\n").expect("a reader");
    }

    /// Lets the program go to its end, which must be a good one.
    pub(crate) fn finish(mut self) {
        self.go_on();
        assert!(self.child.wait().expect("an end").success());
    }
}

/// The lines that a run has printed on the standard error stream.
pub(crate) fn complaints(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stderr).lines().map(str::to_owned).collect()
}
