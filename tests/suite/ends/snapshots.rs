//! Profiles written while the program runs: by a signal, and by the clock.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::PathBuf,
    process::{Child, ChildStdout, Command, Stdio},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use super::SUITE;
use support::{
    command,
    counts::Counts,
    program::Program,
    suite::{USUAL_MODES, printed},
};

/// The program while its threads count.
struct Running {
    child: Child,
    stdout: BufReader<ChildStdout>,
}

impl Running {
    fn start(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a program that can be started");
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("a line");
        assert_eq!(line, "ready\n");
        Self { child, stdout }
    }

    fn send(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).expect("a process number");
        kill(Pid::from_raw(pid), signal).expect("a running process");
    }

    /// Ends the program and gives the calls that its threads have made.
    fn finish(mut self) -> u64 {
        drop(self.child.stdin.take());
        let mut said = String::new();
        self.stdout.read_to_string(&mut said).expect("text");
        let output = self.child.wait_with_output().expect("an end");
        assert!(output.status.success(), "{}", output.status);
        assert_eq!(command::said(&output), "");
        printed(&said, "calls").parse().expect("a number")
    }
}

/// Waits for a file that is not the one that was seen last: each is written anew.
fn next_file(program: &Program, last: Option<u64>) -> u64 {
    let path: PathBuf = program.path("gmon.out");
    loop {
        let inode = fs::metadata(&path).ok().map(|file| std::os::unix::fs::MetadataExt::ino(&file));
        match inode {
            Some(inode) if Some(inode) != last => return inode,
            _ => std::thread::yield_now(),
        }
    }
}

/// A snapshot has no more calls than the end, and no fewer than the one before.
fn calls_so_far(counts: &Counts) -> u64 {
    assert_eq!(counts.calls("main"), 1);
    assert_eq!(counts.calls("count"), 4);
    counts.of("count", "work")
}

#[test]
fn signal_has_the_profile_written_and_the_program_goes_on() {
    for program in SUITE.in_modes("snapshots.c", &USUAL_MODES) {
        let mut running = Running::start(program.command().env("GMON_OPTIONS", "snapshot=USR2"));
        let (mut file, mut calls) = (None, 0);
        for _ in 0..50 {
            running.send(Signal::SIGUSR2);
            file = Some(next_file(&program, file));
            let now = calls_so_far(&program.counts("gmon.out"));
            assert!(now >= calls, "{now} calls after {calls}");
            calls = now;
        }
        assert_eq!(running.child.try_wait().expect("a child"), None, "the program has ended");
        let in_all = running.finish();
        assert!(calls > 0 && calls <= in_all);
        program.counts("gmon.out").are(&format!(
            "<outside> -> main 1
            <outside> -> count 4
            count -> work {in_all}"
        ));
        assert_eq!(program.files(), ["gmon.out", "program"]);
    }
}

#[test]
fn clock_has_the_profile_written() {
    for program in SUITE.in_modes("snapshots.c", &USUAL_MODES) {
        let running = Running::start(program.command().env("GMON_OPTIONS", "flush=1"));
        let first = next_file(&program, None);
        let calls = calls_so_far(&program.counts("gmon.out"));
        next_file(&program, Some(first));
        let in_all = running.finish();
        assert!(calls > 0 && calls < in_all, "{calls} of {in_all}");
        assert_eq!(program.counts("gmon.out").of("count", "work"), in_all);
        assert_eq!(program.files(), ["gmon.out", "program"]);
    }
}

/// Signals faster than files can be written, and in the middle of writing one.
#[test]
fn storm_of_signals_loses_nothing() {
    for program in SUITE.in_modes("snapshots.c", &USUAL_MODES) {
        let running = Running::start(program.command().env("GMON_OPTIONS", "snapshot=USR2"));
        for _ in 0..20_000 {
            running.send(Signal::SIGUSR2);
        }
        let in_all = running.finish();
        assert_eq!(program.counts("gmon.out").of("count", "work"), in_all);
        assert_eq!(program.files(), ["gmon.out", "program"]);
    }
}
