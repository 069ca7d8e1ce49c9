//! Samplers do not disturb the program: its waits, its own SIGPROF, the programs it executes.

use std::{os::unix::process::ExitStatusExt, process::ExitStatus};

use super::{SUITE, build, choice::run_without, run, texts};
use support::{
    command::{output_of, quiet},
    program::Program,
    suite::printed,
    tools,
};

#[test]
fn no_wait_is_interrupted() {
    let program = build("sleeps.c");
    for options in
        tools::shared_out(&["", "hz=1", "hz=1000", "hz=10000", "sampler=perf"], "options")
    {
        let (text, _) = run(&program, options);
        assert_eq!(printed(&text, "interrupted"), "0", "{options}");
    }
}

#[test]
fn program_that_handles_sigprof_keeps_it() {
    let program = build("own_sigprof.c");
    for &sampler in tools::shared_out(&["thread", "wall", "itimer", "profil"], "samplers") {
        for early in [&[("EARLY", "1")][..], &[]] {
            let options = format!("sampler={sampler}");
            let variables = [&[("GMON_OPTIONS", options.as_str())], early].concat();
            let (text, stderr) = texts(&program.run(&[], &variables));
            // These go on with another signal.
            let why = "the program handles SIGPROF itself; sampling by `thread` instead";
            let said = format!("gmon: cannot sample by `{sampler}`: {why}\n");
            let goes_on = ["thread", "wall"].contains(&sampler);
            assert_eq!(stderr, if goes_on { "" } else { &said });
            assert_eq!(printed(&text, "before"), "default");
            // 0.6 seconds at 20 Hz; ours would be 60 more.
            let ticks: u32 = printed(&text, "ticks").parse().expect("a number");
            assert!((1..40).contains(&ticks), "{sampler}: {ticks}");
            let counts = program.counts("gmon.out");
            assert!(counts.seconds("main") > 0.2, "{sampler}: {}", counts.seconds("main"));
        }
    }
}

#[test]
fn timers_do_not_outlive_the_program() {
    let program = build("exec.c");
    let fast = ["hz=10000", "sampler=wall,hz=10000"];
    for options in fast.into_iter().chain(["", "sampler=itimer", "sampler=profil", "sampler=perf"])
    {
        for way in ["again", "handler"] {
            let (text, _) = texts(&program.run(&[way], &[("GMON_OPTIONS", options)]));
            assert_eq!(printed(&text, "alive"), "yes", "{way}, {options}");
        }
    }
}

/// A fork in a pause starts no timer.
#[test]
fn no_sampler_sends_signals_in_a_pause() {
    let program = build("fork_paused.c");
    for sampler in ["thread", "itimer", "profil"] {
        let (text, _) = run(&program, &format!("sampler={sampler}"));
        assert_eq!(printed(&text, "pending"), "0", "{sampler}");
    }
}

/// Forks keep from their thread only a signal that it has not blocked itself.
#[test]
fn forks_leave_sigprof_blocked_if_the_program_has_blocked_it() {
    let program = build("fork_blocked.c");
    for sampler in ["thread", "itimer", "profil"] {
        let (text, _) = run(&program, &format!("sampler={sampler}"));
        let blocked = ["parent", "child", "open-parent", "open-child"];
        assert_eq!(blocked.map(|of| printed(&text, of)), ["1", "1", "0", "0"], "{sampler}");
    }
}

const SAMPLERS: [&str; 6] = ["thread", "itimer", "profil", "perf", "wall", "none"];

/// How the program of this name ends in this way, in a shell that prepares its start.
fn end(program: &Program, preparation: &str, how: &str, options: &str) -> ExitStatus {
    program.clear();
    let mut command = quiet("sh");
    command.arg("-c").arg(format!("{preparation} exec \"$0\" \"$1\""));
    command.arg(&program.executable).arg(how).env("GMON_OPTIONS", options);
    output_of(command.current_dir(program.path(""))).status
}

/// By `raise`, as a limit of CPU time, or by another timer: the program dies of it, and its profile is kept.
#[test]
fn default_action_of_sigprof_ends_the_program() {
    const WAYS: [&str; 7] =
        ["raise", "kill", "default, raise", "handled before", "blocked", "limit", "timer"];
    let reference = SUITE.without_profile("default_sigprof.c");
    for program in SUITE.in_modes("default_sigprof.c", &["default", "static"]) {
        for sampler in SAMPLERS {
            for how in WAYS {
                let context = format!("{sampler}, {how}");
                let expected = end(&reference, "", how, "");
                assert_eq!(expected.signal(), Some(27), "{context}: {expected}");
                let options = format!("sampler={sampler}");
                assert_eq!(end(&program, "", how, &options), expected, "{context}");
                let counts = program.counts("gmon.out");
                assert_eq!(counts.calls("work"), 9, "{context}");
            }
        }
    }
}

#[test]
fn sigprof_that_is_ignored_from_the_start_ends_nobody() {
    for program in SUITE.in_modes("default_sigprof.c", &["default", "static"]) {
        for sampler in SAMPLERS {
            let options = format!("sampler={sampler}");
            let status = end(&program, "trap '' PROF;", "ignored from the start", &options);
            assert_eq!(status.code(), Some(5), "{sampler}: {status}");
        }
    }
}

/// The kernel takes the status of the last thread for that of the process, and a sampler has a thread.
#[test]
fn status_of_the_last_thread_is_the_programs() {
    let program = build("default_sigprof.c");
    for sampler in SAMPLERS {
        let status = end(&program, "", "last thread", &format!("sampler={sampler}"));
        assert_eq!(status.code(), Some(7), "{sampler}: {status}");
    }
}

/// Nor does the sampler's thread have a process live on: one of `clone`, or one whose profile pauses.
#[test]
fn processes_end_with_their_last_thread() {
    let program = build("clone.c");
    for sampler in SAMPLERS {
        let options = format!("sampler={sampler}");
        let (text, _) = texts(&program.run(&[], &[("GMON_OPTIONS", &options)]));
        assert_eq!(printed(&text, "status"), "7", "{sampler}");
        _ = texts(&program.run(&["pause"], &[("GMON_OPTIONS", &options)]));
    }
}

/// Neither the clock without signals nor the exact one is needed for that.
#[test]
fn program_that_handles_sigprof_is_sampled_by_another_signal() {
    let program = build("own_sigprof.c");
    let event = [nix::libc::SYS_perf_event_open];
    for sampler in ["thread", "itimer", "profil"] {
        let said = run_without(&program, &event, &format!("sampler={sampler},hz=1000"));
        let Some((text, stderr)) = said else { return };
        let ticks: u32 = printed(&text, "ticks").parse().expect("a number");
        assert!((1..40).contains(&ticks), "{sampler}: {ticks}");
        assert!(!stderr.contains("no samples are taken"), "{stderr}");
        let seconds = program.counts("gmon.out").seconds("main");
        assert!(seconds > 0.2, "{sampler}: {seconds}");
    }
}

/// Whatever signals the program handles, blocks or waits for: it gets its own, and nothing but these.
#[test]
fn signals_of_the_program_are_its_own() {
    let program = build("own_signals.c");
    let all = ["", "hz=1000", "hz=10000", "hz=10000,sampler=itimer", "sampler=none"];
    for options in tools::shared_out(&all, "options") {
        let (text, stderr) = run(&program, options);
        let said: Vec<_> = text.lines().collect();
        let expected = [
            "trap 3",
            "special 2",
            "waited 5",
            "blocked SIGUSR1",
            "pending SIGUSR1",
            "wrong how 22",
            "worker done",
        ];
        assert_eq!(said, expected, "{options}: {stderr}");
    }
}
