//! Profiles of programs that run: in a file from which they are recovered, written on request, and paused.

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    process::{Output, Stdio},
};

use crate::without_samples;
use support::{
    command::{output_of, text_of},
    compilers::Compiler,
    modes::mode,
    program::Program,
    suite::{Suite, printed},
};

const LIVE: &str = "profile.live";

pub(crate) fn check(compiler: &Compiler) {
    let build = |suite, source| Suite(suite).build_by(compiler, source, mode("default"), &[]);
    recovered(&build("live", "steps.c"));
    controlled(&build("ends", "control.c"));
    let snapshots = build("ends", "snapshots.c");
    compiler.target.check_with_signals(|| written_by_a_signal(&snapshots));
}

fn run(program: &Program, steps: &str) -> Output {
    program.clear();
    let mut command = program.command();
    command.env("GMON_OPTIONS", format!("live={LIVE},sampler=none"));
    output_of(command.args(steps.split(", ")))
}

fn recovered(program: &Program) {
    run(program, "work 7, threads 3, kill");
    assert_eq!(program.files(), [LIVE, "program"]);
    let counts = program.recovered(LIVE);
    assert_eq!((counts.calls("work"), counts.calls("thread_work")), (7, 3));

    run(program, "work 7, threads 3, stop, snapshot, kill");
    program.recovered(LIVE);
    let [written, recovered] = ["gmon.out", "profile.live.recovered"]
        .map(|name| fs::read(program.path(name)).expect("a file"));
    assert!(written == recovered, "{} and {} bytes differ", written.len(), recovered.len());

    let output = run(program, "work 7, fork, work 5, kill");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let child = format!("{LIVE}.{}", printed(&text, "child"));
    assert_eq!(program.files(), [LIVE, &child, "program"]);
    let calls = [LIVE, &child].map(|file| program.recovered(file).calls("work"));
    assert_eq!(calls, [12, 5]);

    let output = run(program, "work 7, threads 3");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert_eq!(program.files(), ["gmon.out", "program"]);
}

fn controlled(program: &Program) {
    let steps = ["work 5", "gmon_stop", "work 7", "gmon_start", "work 11"];
    text_of(without_samples(program).args(steps));
    program.counts("gmon.out").are("<outside> -> main 1\nmain -> step 3\nstep -> work 16");
}

fn written_by_a_signal(program: &Program) {
    program.clear();
    let mut command = program.command();
    command.env("GMON_OPTIONS", "snapshot=USR2,sampler=none");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a program");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut said = String::new();
    stdout.read_line(&mut said).expect("a line");
    assert_eq!(said, "ready\n");
    let pid = i32::try_from(child.id()).expect("a process number");
    kill(Pid::from_raw(pid), Signal::SIGUSR2).expect("a running process");
    while !program.data().exists() {
        assert_eq!(child.try_wait().expect("a child"), None, "the program has ended");
    }
    let calls = program.counts("gmon.out").of("count", "work");
    drop(child.stdin.take());
    stdout.read_to_string(&mut said).expect("text");
    assert!(child.wait().expect("an end").success());
    let in_all: u64 = printed(&said, "calls").parse().expect("a number");
    assert!(calls <= in_all, "{calls} of {in_all}");
    assert_eq!(program.counts("gmon.out").of("count", "work"), in_all);
}
