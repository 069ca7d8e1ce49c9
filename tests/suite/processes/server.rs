//! Servers with workers: each worker has a profile of its own although a signal ends it, and the sum is all they did.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    os::unix::net::UnixStream,
    path::Path,
    process::{Command, Stdio},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use super::SUITE;
use support::{
    command::gmon,
    suite::{USUAL_MODES, all_printed},
};

const REQUESTS: u32 = 200;

/// Has the server do 1, 2, 3, … calls in as many requests; tells how many calls each worker says it made.
fn ask(socket: &Path) -> BTreeMap<u32, u64> {
    let mut calls = BTreeMap::new();
    for number in 1..=REQUESTS {
        let mut server = UnixStream::connect(socket).expect("a server");
        server.write_all(&number.to_ne_bytes()).expect("a request");
        let mut worker = [0; 4];
        server.read_exact(&mut worker).expect("an answer");
        *calls.entry(u32::from_ne_bytes(worker)).or_default() += u64::from(number);
    }
    calls
}

/// Starts the server, asks it and ends it by SIGTERM; gives what it printed about its end, and the calls.
fn serve(command: &mut Command, folder: &Path) -> (String, BTreeMap<u32, u64>) {
    let mut server = command.stdout(Stdio::piped()).spawn().expect("a server");
    let mut output = BufReader::new(server.stdout.take().expect("a pipe"));
    let mut text = String::new();
    output.read_line(&mut text).expect("a line");
    assert_eq!(text, "ready\n");
    let calls = ask(&folder.join("socket"));
    kill(Pid::from_raw(server.id() as i32), Signal::SIGTERM).expect("the server");
    output.read_to_string(&mut text).expect("text");
    assert!(server.wait().expect("an end").success(), "{text}");
    (text, calls)
}

#[test]
fn workers_that_a_signal_ends_have_profiles() {
    for program in SUITE.in_modes("server.c", &USUAL_MODES) {
        let folder = program.path("");
        let (text, calls) = serve(&mut program.command(), &folder);
        let ends: Vec<&str> = all_printed(&text, "worker").collect();
        assert_eq!(ends.len(), 4, "{text}");
        for (index, end) in ends.iter().enumerate() {
            let (worker, end) = end.split_once(' ').expect("how it ended");
            assert_eq!(end, if index < 2 { "15 0" } else { "0 7" }, "{text}");
            let counts = program.counts(&format!("gmon.out.{worker}"));
            let expected = calls.get(&worker.parse().expect("a number")).copied().unwrap_or(0);
            assert_eq!(counts.of("serve", "work"), expected, "{worker}");
            assert_eq!((counts.calls("be_worker"), counts.calls("main")), (1, 0));
        }
        program.counts("gmon.out").are("<outside> -> main 1");
    }
}

#[test]
fn gmon_run_adds_up_a_server_and_its_workers() {
    for program in SUITE.in_modes("server.c", &["default", "preloaded"]) {
        let folder = program.path("");
        let mut command = gmon();
        command.args(["run", "--report", "summary", "./program"]).current_dir(&folder);
        let (_, calls) = serve(&mut command, &folder);
        let total = u64::from(REQUESTS * (REQUESTS + 1) / 2);
        assert_eq!(calls.values().sum::<u64>(), total);
        let counts = program.counts("gmon.out");
        assert_eq!((counts.of("serve", "work"), counts.calls("be_worker")), (total, 4));
        let summary = std::fs::read_to_string(folder.join("summary")).expect("a summary");
        assert!(summary.starts_with("5 processes of 1 program: "), "{summary}");
        assert_eq!(support::summary::calls(&summary)["work"], total, "{summary}");
    }
}
