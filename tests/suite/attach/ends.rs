//! Ends of the sampling of a process, and the profiles that are left then.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use support::command::{gmon, said};
use support::executable;
use support::program::Program;

use super::{SUITE, Target, can_sample, names, seconds, told};

#[test]
fn the_end_of_a_command_ends_it_with_its_status() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let target = Target::start(&program, "work");
    let mut command = target.run(&program, "-o profile -- sh -c");
    let output = command.arg("sleep 1; exit 7").output().expect("gmon");
    let summary = said(&output);
    assert_eq!(output.status.code(), Some(7), "{summary}");
    assert!(seconds(&summary, "outer").is_some(), "{summary}");
    target.end();
    let left = names(&program.path(""));
    assert_eq!(left, ["profile", "profile.full", "program"]);
}

#[test]
fn an_interruption_ends_it_and_not_the_program() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let target = Target::start(&program, "work");
    let mut command = target.run(&program, "");
    let mut running = command.stderr(Stdio::piped()).spawn().expect("gmon");
    let mut lines = BufReader::new(running.stderr.take().expect("a pipe"));
    let mut line = String::new();
    lines.read_line(&mut line).expect("a line");
    assert!(line.starts_with("gmon: sampling ") && line.contains("Ctrl-C"), "{line}");
    std::thread::sleep(std::time::Duration::from_secs(1));
    kill(Pid::from_raw(running.id() as i32), Signal::SIGINT).expect("a process of ours");
    let mut summary = String::new();
    lines.read_to_string(&mut summary).expect("text");
    assert!(running.wait().expect("an end").success(), "{summary}");
    assert!(seconds(&summary, "outer").is_some(), "{summary}");
    target.end();
}

/// Runs `gmon run --pid` with a command of a shell, and returns it when that has said that it is ready.
fn with_ready(command: &mut Command, script: &str) -> Child {
    let command = command.args(["--", "sh", "-c", script]).stdout(Stdio::piped());
    let mut running = command.stderr(Stdio::null()).spawn().expect("gmon");
    let mut line = String::new();
    BufReader::new(running.stdout.as_mut().expect("a pipe")).read_line(&mut line).expect("a line");
    assert_eq!(line, "ready\n");
    running
}

#[test]
fn a_command_that_does_not_end_when_asked_to_keeps_its_status() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let target = Target::start(&program, "work");
    let mut command = target.run(&program, "--for 100ms");
    let mut running = with_ready(&mut command, "trap '' TERM; echo ready; sleep 1; exit 5");
    assert_eq!(running.wait().expect("an end").code(), Some(5));
    // One that would never end is killed at the second interruption.
    let mut command = target.run(&program, "");
    let script = "trap '' TERM INT; echo ready; exec sleep 1000";
    let mut running = with_ready(&mut command, script);
    let status = loop {
        kill(Pid::from_raw(running.id() as i32), Signal::SIGINT).expect("a process of ours");
        std::thread::sleep(std::time::Duration::from_millis(100));
        if let Some(status) = running.try_wait().expect("a status") {
            break status;
        }
    };
    assert_eq!(status.code(), Some(128 + Signal::SIGKILL as i32));
    target.end();
}

#[test]
fn signals_that_are_ignored_end_nothing() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let target = Target::start(&program, "work");
    let inner = target.run(&program, "");
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]).arg(inner.get_program());
    command.args(inner.get_args()).current_dir(program.path(""));
    let mut running = with_ready(&mut command, "echo ready; sleep 1; exit 7");
    kill(Pid::from_raw(running.id() as i32), Signal::SIGHUP).expect("a process of ours");
    assert_eq!(running.wait().expect("an end").code(), Some(7));
    target.end();
}

/// Descriptors that it takes for processes with many threads are its own affair.
#[test]
fn a_command_has_as_many_descriptors_as_without() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let target = Target::start(&program, "work");
    let inner = target.run(&program, "-- sh -c");
    let mut command = Command::new("sh");
    // With what is open already, these are too few for gmon.
    let open = "exec 3<&0 4<&0 5<&0 6<&0 7<&0 8<&0 9<&0";
    let script = format!("{open}; ulimit -Sn 16; exec \"$@\"");
    command.args(["-c", &script, "sh"]).arg(inner.get_program());
    command.args(inner.get_args()).arg("ulimit -Sn; sleep 1").current_dir(program.path(""));
    let output = command.output().expect("gmon");
    target.end();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "16\n", "{}", said(&output));
}

#[test]
fn the_end_of_the_program_ends_it() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let target = Target::start(&program, "work");
    let mut command = target.run(&program, "");
    let running = command.stderr(Stdio::piped()).spawn().expect("gmon");
    std::thread::sleep(std::time::Duration::from_secs(2));
    target.end();
    let output = running.wait_with_output().expect("an end");
    let summary = said(&output);
    assert!(output.status.success(), "{summary}");
    assert!(seconds(&summary, "outer").is_some(), "{summary}");
}

/// Processes are written down when they have ended: memory and descriptors are those of the processes that live.
#[test]
fn children_that_have_ended_take_no_memory() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    const CHILDREN: usize = 300;
    // Where the machine does other work, one of so many may end before it is known what it was.
    let all = format!(" in {CHILDREN} processes");
    let mut summary = String::new();
    for _ in 0..3 {
        summary = summary_of_short_children(&program, CHILDREN);
        if summary.contains(&all) {
            break;
        }
    }
    assert!(summary.contains(&all), "{summary}");
    assert!(seconds(&summary, "young_work").is_some(), "{summary}");
}

/// Samples a shell that starts so many short processes; sees what gmon needs when all have ended.
fn summary_of_short_children(program: &Program, children: usize) -> String {
    let script = format!(
        "echo ready; read go; n=0; while [ $n -lt {children} ]; do ./program briefly; n=$((n+1)); done; echo over; read end; exit 0"
    );
    let mut shell = Command::new("sh");
    let mut target = Target::of(shell.current_dir(program.path("")).args(["-c", &script]));
    let mut command = target.run(program, "");
    let mut running = command.stderr(Stdio::piped()).spawn().expect("gmon");
    let mut lines = BufReader::new(running.stderr.take().expect("a pipe"));
    let mut line = String::new();
    lines.read_line(&mut line).expect("a line");
    assert!(line.starts_with("gmon: sampling "), "{line}");
    target.child.stdin.as_ref().expect("a pipe").write_all(b"go\n").expect("a reader");
    line.clear();
    target.lines.read_line(&mut line).expect("a line");
    assert_eq!(line, "over\n");
    let proc = Path::new("/proc").join(running.id().to_string());
    let descriptors = fs::read_dir(proc.join("fd")).expect("descriptors").count();
    let status = fs::read_to_string(proc.join("status")).expect("a status");
    let memory = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("a size");
    let kb: u64 = memory.trim().trim_end_matches(" kB").parse().expect("a number");
    kill(Pid::from_raw(running.id() as i32), Signal::SIGINT).expect("a process of ours");
    let mut summary = String::new();
    lines.read_to_string(&mut summary).expect("text");
    assert!(running.wait().expect("an end").success(), "{summary}");
    target.end();
    assert!(descriptors < 100, "{descriptors} descriptors");
    assert!(kb < 32 << 10, "{memory}");
    summary
}

#[test]
fn several_processes_are_one_profile_and_found_by_name() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    // Nobody else's program has this name.
    let name = format!("life{}", std::process::id());
    let named = program.path(&name);
    executable::copy(&program.executable, &named);
    let targets = [0, 1].map(|_| Target::of(Command::new(&named).arg("work")));
    let mut command = gmon();
    command
        .current_dir(program.path(""))
        .args(["run", "--top", "40", "--for", "1s", "--pid", &name]);
    let summary = told(&mut command);
    targets.into_iter().for_each(Target::end);
    assert!(summary.contains("in 2 processes"), "{summary}");
    assert!(seconds(&summary, "outer").is_some(), "{summary}");
}

/// Files with the profile of a program have longer names than its own.
#[test]
fn names_of_any_length_lose_no_profile() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let long = program.path(&"x".repeat(255));
    executable::copy(&program.executable, &long);
    let targets = [&program.executable, &long].map(|it| Target::of(Command::new(it).arg("work")));
    let ids = format!("{},{}", targets[0].id(), targets[1].id());
    let mut command = gmon();
    command.current_dir(program.path("")).args(["run", "--for", "1s", "--pid", &ids]);
    let summary = told(&mut command);
    targets.into_iter().for_each(Target::end);
    let kept = format!("gmon.out.{}\n", "x".repeat(180));
    assert!(summary.contains("2 processes of 2 programs"), "{summary}");
    assert!(summary.contains(&kept) && !summary.contains("lost"), "{summary}");
}

/// A file may be several programs.
#[test]
fn programs_are_called_by_the_link_that_started_them() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let link = program.path("known-as");
    std::os::unix::fs::symlink(&program.executable, &link).expect("a link");
    let target = Target::of(Command::new(&link).arg("work"));
    let summary = told(&mut target.run(&program, "--for 1s"));
    target.end();
    assert!(summary.contains("known-as: "), "{summary}");
}
