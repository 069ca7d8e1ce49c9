//! Every way for a process to end.

use std::{os::unix::process::ExitStatusExt, process::ExitStatus};

use super::SUITE;
use support::{
    command::{output_of, quiet, said},
    program::Program,
    suite::USUAL_MODES,
};

/// Ways to end without a signal, and what they count beside what all count.
const EXITS: &[(&str, &str)] = &[
    ("return", ""),
    ("exit", ""),
    ("_exit", ""),
    ("_Exit", ""),
    ("quick_exit", ""),
    ("exit in a thread", "<outside> -> exit_5 1"),
    ("system call exit_group", ""),
    ("system call exit in a thread", "<outside> -> exit_alone 1\nend -> work 1"),
    ("errx", ""),
    ("pthread_exit", ""),
    ("pthread_exit, not the last", "<outside> -> last 1\nlast -> work 1"),
    ("ignored", ""),
    ("sigignore", ""),
    ("siginterrupt", ""),
    ("default with flags", ""),
    ("handled", "<outside> -> handler 1\nhandler -> work 1"),
];

/// Ways to die by a signal.
const DEATHS: &[(&str, &str)] = &[
    ("signal in a thread", "<outside> -> kill_15 1"),
    ("let in by sigsuspend", ""),
    ("let in by ppoll", ""),
    ("let in by pselect", ""),
    ("let in by epoll_pwait", ""),
    ("abort", ""),
    ("abort, blocked", ""),
    ("abort, handled", "<outside> -> once 1\nonce -> work 1"),
    ("abort, handled once", "<outside> -> once 1\nonce -> work 1"),
    ("failed assertion", ""),
    ("failed assertion, handled", "<outside> -> once 1\nonce -> work 1"),
    ("smashed stack", ""),
    ("fortified", ""),
    ("twice freed", ""),
    ("signal in strict C", "end -> set_by 1"),
    ("signal in strict C, called once", "<outside> -> once 1\nonce -> work 1"),
    ("bsd_signal", "end -> set_by 1"),
    ("ssignal", "end -> set_by 1"),
    ("sigset", "end -> set_by 1"),
    ("sigset, held", ""),
    ("null pointer", ""),
    ("read-only page", ""),
    ("division by zero", ""),
    ("illegal instruction", ""),
    ("jump to nowhere", ""),
    ("past the end of a file", ""),
    ("handled and again", "<outside> -> and_again 1\nand_again -> work 1"),
    ("handled once", "<outside> -> once 1\nonce -> work 1"),
    ("handled once, fault", "<outside> -> once 1\nonce -> work 1"),
    ("handled once, blocked", "<outside> -> once 1\nonce -> work 1"),
    ("default again", ""),
    ("closed pipe", ""),
    ("alarm", ""),
];

/// Ways to die by `abort` that no handler sees, where `abort` can be ours: in a static program the C
/// library insists on its own.
const ABORTS: &[(&str, &str)] = &[("abort, ignored", "")];

/// Deaths that no handler can see: for these there is the live mode.
const UNSEEN: &[&str] = &["kill 9", "fault with the signal blocked"];

/// Signals whose default action ends a process, but SIGKILL.
/// 34 and 64 stand for the real-time signals.
const FATAL_SIGNALS: &[i32] =
    &[1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 24, 25, 26, 27, 29, 30, 31, 34, 64];

/// Signals that end nobody, sent by the program to itself.
const HARMLESS_SIGNALS: &[i32] = &[17, 18, 23, 28];

/// Runs the program in a shell, which prepares its start. The status, and whether there is a dump
/// of its memory. Whoever runs the tests may ignore signals, as shells do for what they start in the background.
fn end(program: &Program, preparation: &str, how: &str) -> (ExitStatus, bool) {
    program.clear();
    let script = format!("{preparation}; export LD_PRELOAD=$1; exec \"$0\" \"$2\"");
    let inside = program.command();
    let preloaded = inside.get_envs().find(|(name, _)| *name == "LD_PRELOAD");
    let preloaded = preloaded.and_then(|(_, value)| value).unwrap_or_default();
    let mut command = quiet("env");
    command
        .args(["--default-signal", "sh", "-c"])
        .arg(script)
        .arg(&program.executable)
        .arg(preloaded)
        .arg(how);
    let output = output_of(command.current_dir(program.path("")));
    assert_eq!(said(&output), "", "{how}");
    (output.status, program.files().iter().any(|name| name.starts_with("core")))
}

/// Compares the end of the program with that of the same program without a profile, and gives the
/// status of both.
fn ends_alike(program: &Program, reference: &Program, how: &str) -> ExitStatus {
    let expected = end(reference, "ulimit -c unlimited", how);
    let ended = end(program, "ulimit -c unlimited", how);
    assert_eq!(ended, expected, "{how}");
    assert_eq!(ended.0.core_dumped(), expected.0.core_dumped(), "{how}");
    ended.0
}

/// Checks that there is one whole file with these arcs beside those of all ways to end.
fn profile_is(program: &Program, how: &str, more: &str) {
    let files = program.files();
    let own: Vec<_> = files.iter().filter(|name| name.starts_with("gmon")).collect();
    assert_eq!(own, ["gmon.out"], "{how}");
    program.counts("gmon.out").are(&format!(
        "<outside> -> main 1
        main -> work 21
        main -> end 1
        {more}"
    ));
}

#[test]
fn exits_keep_their_status_and_leave_a_profile() {
    let reference = SUITE.without_profile("ending.c");
    for program in SUITE.in_modes("ending.c", &USUAL_MODES) {
        for (how, more) in EXITS {
            let status = ends_alike(&program, &reference, how);
            assert!(status.code().is_some_and(|code| code < 100), "{how}: {status}");
            profile_is(&program, how, more);
        }
    }
}

#[test]
fn deaths_keep_their_signal_and_dump_and_leave_a_profile() {
    let reference = SUITE.without_profile("ending.c");
    for (modes, deaths) in [(&USUAL_MODES[..], DEATHS), (&["default", "preloaded"], ABORTS)] {
        for program in SUITE.in_modes("ending.c", modes) {
            for (how, more) in deaths {
                let status = ends_alike(&program, &reference, how);
                assert!(status.signal().is_some(), "{how}: {status}");
                profile_is(&program, how, more);
            }
        }
    }
}

#[test]
fn every_fatal_signal_kills_and_leaves_a_profile() {
    let reference = SUITE.without_profile("ending.c");
    for program in SUITE.in_modes("ending.c", &USUAL_MODES) {
        for signal in FATAL_SIGNALS {
            for how in ["kill", "raise"] {
                let status = ends_alike(&program, &reference, &format!("{how} {signal}"));
                assert_eq!(status.signal(), Some(*signal));
                profile_is(&program, how, "");
            }
        }
    }
}

#[test]
fn harmless_signals_do_no_harm() {
    let reference = SUITE.without_profile("ending.c");
    for program in SUITE.in_modes("ending.c", &USUAL_MODES) {
        for signal in HARMLESS_SIGNALS {
            let status = ends_alike(&program, &reference, &format!("raise {signal}"));
            assert_eq!(status.code(), Some(2));
            profile_is(&program, "raise", "");
        }
    }
}

/// The most common fault of programs that call themselves: there is no stack left for a handler,
/// unless it brings its own.
#[test]
fn overflow_of_the_stack_leaves_a_profile() {
    let reference = SUITE.without_profile("ending.c");
    for program in SUITE.in_modes("ending.c", &USUAL_MODES) {
        for how in [
            "stack overflow",
            "stack overflow, own stack",
            "stack overflow in a thread",
            "stack overflow in a thread, own stack",
        ] {
            let status = ends_alike(&program, &reference, how);
            assert_eq!(status.signal(), Some(11), "{how}: {status}");
            let counts = program.counts("gmon.out");
            assert_eq!(counts.of("main", "work"), 21, "{how}");
            assert!(counts.of("deeper", "deeper") > 10, "{how}");
        }
    }
}

#[test]
fn deaths_that_no_handler_sees_are_as_they_would_have_been() {
    let reference = SUITE.without_profile("ending.c");
    for program in SUITE.in_modes("ending.c", &USUAL_MODES) {
        for how in UNSEEN {
            let status = ends_alike(&program, &reference, how);
            assert!(status.signal().is_some(), "{how}: {status}");
        }
    }
}

/// A signal that is ignored when the program starts stays ignored, as `nohup` wants it.
#[test]
fn signals_ignored_from_the_start_stay_ignored() {
    for program in SUITE.in_modes("ending.c", &USUAL_MODES) {
        for signal in [1, 2, 3, 13, 15] {
            let status = end(&program, &format!("trap '' {signal}"), &format!("raise {signal}")).0;
            assert_eq!(status.code(), Some(2), "signal {signal}: {status}");
            profile_is(&program, "ignored", "");
        }
    }
}
