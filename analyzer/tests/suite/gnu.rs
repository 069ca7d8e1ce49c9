//! GNU gprof 2.40, the reference. Where it is missing its tests are skipped aloud, but fail in CI.

use std::ffi::OsString;
use std::process::Command;

pub(crate) use support::random::seeds;

use super::run::{Outcome, gprof, text};

/// Whether the reference is installed.
pub(crate) fn is_here(test: &str) -> bool {
    has(test, "gprof")
}

/// Whether a tool that a test needs is installed.
pub(crate) fn has(test: &str, tool: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok();
    assert!(found || std::env::var_os("CI").is_none(), "{test} needs {tool}");
    if !found {
        eprintln!("SKIPPED: {test}: there is no {tool}");
    }
    found
}

/// Runs the reference.
pub(crate) fn gnu_gprof(words: &[OsString]) -> Outcome {
    outcome(Command::new("gprof").args(words).env("LC_ALL", "C"))
}

/// Runs a command to its end.
pub(crate) fn outcome(command: &mut Command) -> Outcome {
    let output = command.output().unwrap();
    Outcome {
        stdout: text(output.stdout),
        stderr: text(output.stderr),
        status: output.status.code().unwrap_or(-1),
    }
}

/// Runs both and demands the same output, messages and status.
pub(crate) fn assert_same(what: &str, words: &[OsString]) {
    assert_equal(&format!("{what}, {words:?}"), gnu_gprof(words), gprof(words));
}

/// Demands the same output, messages and status.
pub(crate) fn assert_equal(what: &str, gnu: Outcome, ours: Outcome) {
    if let Some(difference) = difference(gnu, ours) {
        panic!("{what}\n{difference}");
    }
}

/// What is not the same, if anything.
pub(crate) fn difference(mut gnu: Outcome, mut ours: Outcome) -> Option<String> {
    // Without a histogram GNU gprof divides zero ticks by a rate of zero.
    gnu.stdout = gnu.stdout.replace("-nan", "0.00");
    // A terminal gets nothing from us that it obeys.
    let obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    gnu.stderr = gnu.stderr.replace(obeyed, "\u{fffd}");
    // Our usage message has words of its own.
    for text in [&mut gnu.stderr, &mut ours.stderr] {
        text.truncate(text.find("\nUsage:").unwrap_or(text.len()));
    }
    if gnu == ours {
        return None;
    }
    let first = |text: &str, other: &str| {
        let line = text.lines().zip(other.lines()).take_while(|(a, b)| a == b).count();
        (line + 1, text.lines().nth(line).unwrap_or("<end>").to_owned())
    };
    let (line, theirs) = first(&gnu.stdout, &ours.stdout);
    let (_, mine) = first(&ours.stdout, &gnu.stdout);
    Some(format!(
        " status {} and {}\n stderr {:?} and {:?}\n stdout line {line}:\n\
         GNU  |{theirs}|\nours |{mine}|",
        gnu.status, ours.status, gnu.stderr, ours.stderr
    ))
}
