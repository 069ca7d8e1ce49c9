//! Samplers do not disturb the program: its waits, its own SIGPROF, the programs it executes.

use std::{os::unix::process::ExitStatusExt, process::ExitStatus};

use super::{SUITE, build, choice::run_without, run, texts};
use support::{
    command::{output_of, quiet},
    program::Program,
    suite::printed,
};

#[test]
fn no_wait_is_interrupted() {
    let program = build("sleeps.c");
    for options in ["", "hz=1", "hz=1000", "hz=10000", "sampler=perf"] {
        let (text, _) = run(&program, options);
        assert_eq!(printed(&text, "interrupted"), "0", "{options}");
    }
}

#[test]
fn program_that_handles_sigprof_keeps_it() {
    let program = build("own_sigprof.c");
    for sampler in ["thread", "itimer", "profil"] {
        for early in [&[("EARLY", "1")][..], &[]] {
            let options = format!("sampler={sampler}");
            let variables = [&[("GMON_OPTIONS", options.as_str())], early].concat();
            let (text, stderr) = texts(&program.run(&[], &variables));
            let said =
                format!("gmon: cannot sample by `{sampler}`: the program handles SIGPROF itself; ");
            let lines: Vec<_> = stderr.lines().filter(|line| line.starts_with(&said)).collect();
            assert_eq!(lines.len(), 1, "{stderr}");
            assert_eq!(printed(&text, "before"), "default");
            // 0.6 seconds at 20 Hz; ours would be 60 more.
            let ticks: u32 = printed(&text, "ticks").parse().expect("a number");
            assert!((1..40).contains(&ticks), "{sampler}: {ticks}");
            let counts = program.counts("gmon.out");
            if !lines[0].ends_with("no samples are taken") {
                assert!(counts.seconds("main") > 0.2, "{sampler}: {}", counts.seconds("main"));
            }
        }
    }
}

#[test]
fn timers_do_not_outlive_the_program() {
    let program = build("exec.c");
    for options in ["", "hz=10000", "sampler=perf"] {
        let (text, _) = texts(&program.run(&["again"], &[("GMON_OPTIONS", options)]));
        assert_eq!(printed(&text, "alive"), "yes", "{options}");
    }
}

const SAMPLERS: [&str; 5] = ["thread", "itimer", "profil", "perf", "none"];

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

/// Where the clock without signals is refused as well, no sampler sends the program signals of its own.
#[test]
fn program_that_handles_sigprof_gets_no_ticks_of_ours() {
    let program = build("own_sigprof.c");
    let event = [nix::libc::SYS_perf_event_open];
    for sampler in ["thread", "itimer", "profil"] {
        let said = run_without(&program, &event, &format!("sampler={sampler}"));
        let Some((text, stderr)) = said else { return };
        let ticks: u32 = printed(&text, "ticks").parse().expect("a number");
        assert!((1..40).contains(&ticks), "{sampler}: {ticks}");
        assert!(stderr.contains("no samples are taken"), "{stderr}");
    }
}
