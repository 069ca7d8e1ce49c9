//! Programs of `gmon run` find signals and streams as their caller left them.

use support::{tools, workplace::Workplace};

use crate::GMON;

/// Runs a script in which `$GMON` stands for nothing, and then for `gmon run`: its output and its status.
fn alone_and_run(script: &str) -> [(String, Option<i32>); 2] {
    let place = Workplace::new();
    ["", &format!("{GMON} run --report /dev/null")].map(|gmon| {
        let mut shell = place.command("timeout");
        let output = shell.args(["100", "sh", "-c", script]).env("GMON", gmon).output();
        let output = output.expect("sh");
        (String::from_utf8(output.stdout).expect("UTF-8"), output.status.code())
    })
}

#[test]
fn signals_are_ignored_as_before() {
    for ignored in ["", "PIPE", "CHLD", "HUP INT"] {
        let script = format!("trap '' {ignored} USR2; $GMON grep '^Sig[IB]' /proc/self/status");
        let [alone, run] = alone_and_run(&script);
        assert!(alone.0.contains("SigIgn:") && alone.1 == Some(0), "{alone:?}");
        assert_eq!(run, alone, "{ignored}");
    }
}

#[test]
fn a_caller_that_ignores_its_children_learns_how_the_program_ended() {
    let [alone, run] = alone_and_run("trap '' CHLD; exec $GMON sh -c 'exit 7'");
    assert_eq!((alone.1, run.1), (Some(7), Some(7)));
}

#[test]
fn closed_streams_are_closed() {
    for (script, status) in [
        ("$GMON sh -c 'echo hi 2> /dev/null || exit 9' >&-", 9),
        ("$GMON sh -c 'cat <&0 2> /dev/null || exit 8' <&-", 8),
        ("$GMON sh -c 'echo hi >&2 || exit 7' 2>&-", 7),
    ] {
        let [alone, run] = alone_and_run(script);
        assert_eq!(alone.1, Some(status), "{script}");
        assert_eq!(run, alone, "{script}");
    }
}

/// A timer outlives `exec`.
#[test]
fn a_timer_of_the_caller_ends_the_program() {
    if tools::find("perl").is_none() {
        return;
    }
    let [alone, run] = alone_and_run("perl -e 'alarm 1; exec @ARGV' $GMON sleep 20");
    assert_eq!((alone.1, run.1), (Some(128 + 14), Some(128 + 14)));
}
