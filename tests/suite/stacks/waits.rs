//! The clock on the wall: what threads wait for, and for how long.

use support::{
    command::{gmon, text_of},
    program::Program,
    stacks::FullProfile,
    suite::printed,
    summary, tools,
};

use super::{SUITE, profile};

/// Milliseconds that each thread of the program lives.
const LIVES: u32 = 1500;

/// Looks at a function in a thread that waited, and in one that ran.
fn looks(profile: &FullProfile, function: &str) -> (u64, u64) {
    let mut sums = (0, 0);
    for (path, weight) in &profile.stacks {
        if path.iter().any(|frame| frame == function) {
            let waits = path.get(2).is_some_and(|frame| frame == "[waiting]");
            *(if waits { &mut sums.0 } else { &mut sums.1 }) += weight;
        }
    }
    sums
}

#[track_caller]
fn check(profile: &FullProfile) {
    let of = |function: &str| looks(profile, function);
    let text = profile.listing();
    let number = |fact: &str| profile.facts[fact].parse::<u64>().expect("a number");
    // A hundred looks each second; half of them on the busiest machine.
    let least = u64::from(LIVES) / 20;
    for (function, threads) in [("doze", 2), ("receive", 1), ("await_turn", 1)] {
        let (waiting, running) = of(function);
        assert!(waiting >= threads * least && running * 10 <= waiting, "{function}:\n{text}");
    }
    let (waiting, running) = of("compute");
    assert!(running >= least && waiting * 10 <= running, "compute:\n{text}");
    let (waiting, running) = of("alternate");
    assert!(running > 0 && waiting > 0, "alternate:\n{text}");
    let (waiting, _) = of("spin");
    assert!(waiting * 10 <= of("spin").1, "spin:\n{text}");
    // It gets no signal, nor does any other that waits.
    let (waiting, running) = of("await_signal");
    assert!(waiting >= least && running * 10 <= waiting, "await_signal:\n{text}");
    // Seven threads, none of which lived longer than the process.
    let (total, lived): (_, u64) = (profile.total(), number("duration_ns") / 10_000_000);
    assert!((7 * least..=7 * (lived + 10)).contains(&total), "{total} in {lived}:\n{text}");
    // Who goes on waiting gets no more signals.
    let walks = number("walks");
    assert!(walks * 2 < total, "{walks} walks for {total} looks");
    assert_eq!(profile.facts["sampler"], "wall");
    assert_eq!(profile.facts["clock"], "the clock on the wall");
    let running: u64 = total - waits(profile);
    assert!(profile.histogram <= running, "{} of {running}", profile.histogram);
}

fn waits(profile: &FullProfile) -> u64 {
    looks(profile, "[waiting]").0
}

#[test]
fn threads_that_wait_are_where_they_wait() {
    let flags = ["-pthread", "-fno-optimize-sibling-calls", "-Wl,--eh-frame-hdr"];
    for &mode in tools::shared_out(&["default", "static", "preloaded"], "modes") {
        let program = SUITE.build("waits.c", mode, &flags);
        let lives = LIVES.to_string();
        let first = profile(&program, &[&lives], "sampler=wall");
        check(&first);
        if mode == "default" {
            reports_have_waits(&program);
            sums_keep_waits(&program, &first, &lives);
        }
    }
}

/// A signal would end all of these, and the program does not expect it.
#[test]
fn no_wait_is_ended() {
    for (mode, flag) in [("default", "-O2"), ("preloaded", "-O0")] {
        let program = SUITE.build("naps.c", mode, &[flag]);
        let output = program.run(&["300"], &[("GMON_OPTIONS", "sampler=wall,hz=100")]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!((output.status.success(), text.as_str()), (true, "done\n"), "{output:?}");
        let profile = FullProfile::read(&program.path("gmon.out.full"));
        for function in ["in_usleep", "in_poll", "in_select", "in_epoll"] {
            let (waiting, _) = looks(&profile, function);
            assert!(waiting >= 15, "{function}:\n{}", profile.listing());
        }
        // Nothing but the stack pointer is known of their registers.
        let (waiting, _) = looks(&profile, "main");
        assert!(waiting * 10 >= waits(&profile) * 9, "{mode} {flag}:\n{}", profile.listing());
    }
}

/// A signal from another processor takes as long as the work, and finds the thread at the end of the call behind it.
#[test]
fn work_between_system_calls_is_not_theirs() {
    let program = SUITE.build("asks.c", "default", &[]);
    let profile = profile(&program, &[&(2 * LIVES).to_string()], "sampler=wall");
    let (work, asking) = (looks(&profile, "work").1, looks(&profile, "ask").1);
    // It is a twentieth or so.
    assert!(work > 0 && asking * 4 < work, "{work} and {asking}:\n{}", profile.listing());
}

/// What `gmon report` shows of it.
fn reports_have_waits(program: &Program) {
    let report = |arguments: &[&str]| {
        let mut command = gmon();
        command.args(["report", "program"]).args(arguments).current_dir(program.path(""));
        text_of(&mut command)
    };
    let text = report(&["--top", "100"]);
    assert!(text.starts_with("program: ") && text.contains(" seconds running and "), "{text}");
    let rows = summary::rows(&text);
    let times = |name: &str| {
        let row = rows.iter().find(|row| row.name == name);
        let row = row.unwrap_or_else(|| panic!("no {name}:\n{text}"));
        ["running", "waiting"].map(|title| row.number(title).unwrap_or(0.0))
    };
    let (receive, compute) = (times("receive"), times("compute"));
    assert!(receive[1] > 0.5 && receive[0] * 10.0 <= receive[1], "{text}");
    assert!(compute[0] > 0.5 && compute[1] * 10.0 <= compute[0], "{text}");
    for (arguments, expected) in [
        (&["--threads"][..], " reader"),
        (&["--tree"], "await_turn"),
        (&["--modules"], "libc"),
        (&["--by", "thread"], "locker"),
        (&["--calls", "doze"], "sleeper"),
        (&["--only", "doze"], "doze"),
    ] {
        let text = report(arguments);
        assert!(text.contains("running") && text.contains("waiting"), "{text}");
        assert!(text.contains(expected), "{text}");
    }
    let folder = program.path("");
    let mut export = gmon();
    export.args(["export", "program", "--format", "json", "-o", "profile.json"]);
    text_of(export.current_dir(&folder));
    let json = std::fs::read_to_string(program.path("profile.json")).expect("what was written");
    assert!(json.contains("\"waits\":true") || json.contains("\"waits\": true"));
}

fn sums_keep_waits(program: &Program, first: &FullProfile, lives: &str) {
    let folder = program.path("");
    let keep = |name: &str| {
        std::fs::copy(program.path("gmon.out.full"), program.path(name)).expect("a copy");
    };
    keep("first.full");
    assert!(program.run(&[lives], &[("GMON_OPTIONS", "sampler=wall")]).status.success());
    keep("second.full");
    let second = FullProfile::read(&program.path("second.full"));
    let mut merge = gmon();
    merge.args(["merge", "-o", "sum", "first.full", "second.full"]);
    text_of(merge.current_dir(&folder));
    let sum = FullProfile::read(&program.path("sum"));
    for function in ["doze", "receive", "compute", "alternate", "await_signal"] {
        let [first, second, sum] = [first, &second, &sum].map(|profile| looks(profile, function));
        assert_eq!(sum, (first.0 + second.0, first.1 + second.1), "{function}");
    }
    assert_eq!(sum.facts["sampler"], "wall");
}

/// Both processes are looked at, each by itself, however often one forks.
#[test]
fn a_forked_child_has_waits_of_its_own() {
    let program = SUITE.build("forks.c", "default", &[]);
    let output = program.run(&[], &[("GMON_OPTIONS", "sampler=wall,hz=1000")]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let child = printed(&text, "child");
    for (file, function) in
        [("gmon.out.full".to_owned(), "in_parent"), (format!("gmon.out.{child}.full"), "in_child")]
    {
        let profile = FullProfile::read(&program.path(&file));
        let (waiting, _) = looks(&profile, function);
        assert!(waiting > 50, "{file}:\n{}", profile.listing());
        assert_eq!(profile.threads.len(), 1, "{:?}", profile.threads);
    }
}
