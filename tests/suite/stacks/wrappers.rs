//! Functions in whose place the runtime stands: to the program they are the C library's, and their time is theirs.

use std::collections::BTreeSet;
use std::process::Command;

use support::{
    command::{gmon, text_of},
    program::Program,
    stacks::FullProfile,
    tools,
};

use super::SUITE;

/// The names that the runtime defines.
const EXPORTS: &str = include_str!("../../../runtime/archive/exports.txt");

/// The program, which calls each of them for a while.
const PROGRAM: &str = include_str!("wrappers.c");

/// Those of the list that do not come back, or that the program does not call itself.
const ENDS: [&str; 5] = ["_exit", "_Exit", "abort", "daemon", "__fork_handler"];

/// Names of one function: the first is shown.
const SAME: [(&str, &str); 3] =
    [("signal", "bsd_signal"), ("signal", "ssignal"), ("sysv_signal", "__sysv_signal")];

/// The names that the program can call: those of the runtime's list that the C library has, too.
fn names() -> impl Iterator<Item = &'static str> {
    let lines = EXPORTS.lines().filter_map(|line| line.strip_suffix(" on linux"));
    let names = lines.map(|line| line.split_once(": ").map_or(line, |(_, name)| name));
    let is_ours = |name: &str| {
        name.starts_with("__gmon_") || name.starts_with("gmon_") || name == "__monstartup"
    };
    names.filter(move |name| !is_ours(name))
}

/// Builds the program and runs it for one name; gives its stacks as text.
fn stacks(program: &Program, name: &str, options: &str) -> String {
    program.clear();
    let output = program.run(&[name], &[("GMON_OPTIONS", options)]);
    assert!(output.status.success(), "{name}: {output:?}");
    let mut export = gmon();
    export.args(["export", "--format", "folded"]).arg(&program.executable);
    text_of(export.arg(program.path("gmon.out")))
}

#[test]
fn time_in_them_is_that_of_a_call_by_their_caller() {
    for &mode in tools::shared_out(&["default", "preloaded", "static"], "modes") {
        let flags: &[&str] = match mode {
            "static" => &["-w", "-fno-optimize-sibling-calls", "-DNO_LOADER", "-Wl,--eh-frame-hdr"],
            _ => &["-w", "-fno-optimize-sibling-calls"],
        };
        let program = SUITE.build("wrappers.c", mode, flags);
        for name in names().filter(|name| !ENDS.contains(name)).collect::<BTreeSet<_>>() {
            assert!(
                PROGRAM.contains(&format!("CALLER({name},")),
                "the program does not call {name}"
            );
            if mode == "static" && name == "dlclose" {
                continue;
            }
            let stacks = stacks(&program, name, "stacks,hz=1000");
            let shown =
                SAME.iter().find(|(_, same)| *same == name).map_or(name, |(shown, _)| shown);
            let call = format!("calls_{name};{shown}");
            assert!(stacks.contains(&call), "{mode}, {name}:\n{stacks}");
            let hooks = count(&stacks, |line| line.contains("[profiling hooks]"));
            assert!(hooks * 4 <= count(&stacks, |_| true), "{mode}, {name}:\n{stacks}");
        }
    }
}

/// Samples on the lines that are wanted.
fn count(stacks: &str, is_wanted: impl Fn(&str) -> bool) -> u64 {
    let lines = stacks.lines().filter(|line| is_wanted(line));
    lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum()
}

/// Threads that wait in `syscall(2)`, as locks of Rust and C++ do, neither run nor are in the profiler.
#[test]
fn waits_in_a_system_call_are_waits() {
    for &mode in tools::shared_out(&["default", "preloaded"], "modes") {
        let program = SUITE.build("wrappers.c", mode, &["-w"]);
        let stacks = stacks(&program, "wait", "stacks,hz=100,sampler=wall");
        let profile = FullProfile::read(&program.path("gmon.out.full"));
        let (all, waits) = (profile.total(), profile.inclusive("[waiting]"));
        let calls = count(&stacks, |line| line.contains("waits_syscall;syscall"));
        assert!(all >= 10 && calls * 2 > all && waits * 2 > all, "{mode}:\n{stacks}");
    }
}

/// The kernel may be asked to look where system calls come from: all that the runtime need not see come from the C library.
#[test]
#[cfg(target_arch = "x86_64")]
fn system_calls_come_from_the_c_library() {
    let program = SUITE.build("dispatch.c", "preloaded", &["-w"]);
    let without = text_of(&mut Command::new(&program.executable));
    if without == "not on this system\n" {
        return tools::skip_anywhere("the kernel does not dispatch system calls to programs");
    }
    assert_eq!(without, "made\n");
    let with = program.run(&[], &[("GMON_OPTIONS", "stacks,sampler=none")]);
    assert_eq!(String::from_utf8_lossy(&with.stdout), "made\n");
}
