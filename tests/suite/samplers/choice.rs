//! What was asked for is used; where it cannot be, one line says why and what is used instead.

use super::{SUITE, build, run, texts};
use support::{
    program::Program,
    suite::printed,
    tools::{skip, skip_anywhere},
};

/// What a program and the runtime print, under a filter that forbids it these system calls; `None` if
/// the system has no such filters.
pub(super) fn run_without(
    program: &Program,
    calls: &[nix::libc::c_long],
    options: &str,
) -> Option<(String, String)> {
    let forbid = SUITE.without_profile("forbid.c");
    let numbers = calls.iter().map(ToString::to_string);
    let mut command = forbid.command();
    command.args(numbers).arg("--").arg(&program.executable);
    let executable = program.executable.parent().expect("a folder");
    let output = command.current_dir(executable).env("GMON_OPTIONS", options).output();
    let output = output.expect("a program that can be started");
    if output.status.code() == Some(77) {
        skip("the system has no seccomp filters");
        return None;
    }
    Some(texts(&output))
}

#[test]
fn what_the_system_refuses_is_replaced_and_reported_in_one_line() {
    use nix::libc::{
        SYS_perf_event_open as EVENT, SYS_setitimer as INTERVAL, SYS_timer_create as TIMER,
    };
    const NO_TIMER: &str = "the system grants no timer";
    let program = build("child.c");
    for (calls, options, failed, why, instead) in [
        (&[TIMER][..], "sampler=thread", "thread", NO_TIMER, "sampling by `itimer` instead"),
        (&[TIMER, INTERVAL, EVENT], "", "thread", NO_TIMER, "no samples are taken"),
        (&[INTERVAL], "sampler=itimer", "itimer", NO_TIMER, "sampling by `thread` instead"),
        (&[EVENT], "sampler=perf", "perf", "", "sampling by `thread` instead"),
        (&[EVENT], "event=cycles", "cycles", "", "sampling by `thread` instead"),
    ] {
        let Some((_, stderr)) = run_without(&program, calls, options) else { return };
        // The child resumes with what works, and has nothing to say.
        let line = stderr.strip_suffix('\n').expect("a line");
        assert!(line.starts_with(&format!("gmon: cannot sample by `{failed}`: {why}")), "{stderr}");
        assert!(line.ends_with(instead) && !line.contains('\n'), "{stderr}");
        let counts = program.counts("gmon.out");
        assert_eq!(counts.unit.1, "seconds");
        assert_eq!(counts.ticks == 0, instead.starts_with("no "), "{}", counts.ticks);
    }
}

/// Nobody asked for the one that does not work.
#[test]
fn sampler_that_another_one_replaces_is_not_missed() {
    let program = build("child.c");
    for calls in [&[nix::libc::SYS_timer_create][..], &[nix::libc::SYS_perf_event_open]] {
        let Some((_, stderr)) = run_without(&program, calls, "") else { return };
        assert_eq!(stderr, "");
        assert!(program.counts("gmon.out").ticks > 0);
    }
}

/// Threads that begin meanwhile are no reason to take another.
#[test]
fn sampler_stays_however_often_profiling_goes_off_and_on() {
    let program = build("toggle.c");
    for sampler in ["thread", "perf"] {
        let (text, stderr) = run(&program, &format!("sampler={sampler}"));
        if sampler == "perf" && stderr.contains("not permitted") {
            return skip_anywhere(stderr.trim_end());
        }
        assert_eq!(stderr, "", "{sampler}");
        let used: f64 = printed(&text, "work").parse().expect("seconds");
        let seconds = program.counts("gmon.out").seconds("work");
        assert!((0.5 * used..1.5 * used).contains(&seconds), "{sampler}: {seconds} s of {used}");
    }
}

#[test]
fn no_sampler_takes_no_samples_and_counts_calls() {
    let program = build("child.c");
    let (_, stderr) = run(&program, "sampler=none");
    let counts = program.counts("gmon.out");
    assert_eq!((counts.ticks, counts.calls("in_parent"), stderr.as_str()), (0, 1, ""));
}

/// Hooks and these samplers' ticks make no system calls.
#[test]
fn program_that_forbids_itself_system_calls_lives_on() {
    let program = build("sandbox.c");
    for sampler in ["none", "itimer"] {
        let run = program.run(&[], &[("GMON_OPTIONS", &format!("sampler={sampler}"))]);
        if run.status.code() == Some(77) {
            return skip("the system has no seccomp");
        }
        assert_eq!(run.status.code(), Some(5), "{sampler}: {}", run.status);
    }
}

#[test]
fn unknown_names_are_reported_with_the_known_ones() {
    let program = build("child.c");
    for (options, known) in [
        ("sampler=clock", "thread, itimer, profil, perf, wall and none"),
        ("event=misses", "cycles, instructions, "),
    ] {
        let (_, stderr) = run(&program, options);
        assert!(
            stderr.starts_with(&format!("gmon: GMON_OPTIONS: `{options}`: unknown")),
            "{stderr}"
        );
        assert!(stderr.contains(known) && stderr.lines().count() == 1, "{stderr}");
        assert!(program.counts("gmon.out").ticks > 0);
    }
}

#[test]
fn events_are_counted_one_by_one_in_their_own_dimension() {
    let program = build("faults.c");
    let (_, stderr) = run(&program, "event=page-faults");
    let counts = program.counts("gmon.out");
    if stderr.contains("cannot sample by `page-faults`") {
        // Whether events are permitted is the machine's business; the line says which way it went.
        skip_anywhere(stderr.trim_end());
        assert_eq!(counts.unit, (100, "seconds".to_owned()), "{stderr}");
        return;
    }
    assert_eq!(counts.unit, (1, "page-faults".to_owned()), "{stderr}");
    // Some are lost if the collector is kept from its work; then it says so.
    let touched = counts.samples("touch");
    assert!(touched <= 5_100, "{touched}");
    assert!(
        touched >= 4_900 || stderr.contains("samples are missing: there was no room"),
        "{touched}\n{stderr}"
    );
}

#[test]
fn event_that_the_machine_cannot_count_is_time() {
    let program = build("threads.c");
    let (text, stderr) = run(&program, "event=cycles");
    let counts = program.counts("gmon.out");
    if stderr.is_empty() {
        assert_eq!(counts.unit, (1, "Mcycles".to_owned()));
    } else {
        assert!(stderr.starts_with("gmon: cannot sample by `cycles`: "), "{stderr}");
        assert_eq!(counts.unit, (100, "seconds".to_owned()));
    }
    assert!(counts.samples("longest") > counts.samples("shortest"), "{text}");
    assert!(printed(&text, "longest") > printed(&text, "shortest"));
}
