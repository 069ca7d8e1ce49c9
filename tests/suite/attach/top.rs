//! `gmon top` of programs that nobody has prepared.

use std::fs;

use serde_json::Value;
use support::command::{gmon, quiet, text_of};
use support::tools;

use super::{SUITE, Target, can_sample};

#[test]
fn unprepared_programs_are_shown_without_calls() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let target = Target::start(&program, "threads");
    let mut command = gmon();
    command.args(["top", "--once", "--interval", "3", "--format", "json", &target.id()]);
    let text = text_of(&mut command);
    target.end();
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let process = &document["processes"][0];
    assert_eq!((&process["state"], &process["has_stacks"]), (&"on".into(), &true.into()));
    let functions = process["functions"].as_array().expect("a list");
    let of = |name: &str| {
        let found = functions.iter().find(|it| it["name"] == name);
        found.unwrap_or_else(|| panic!("no {name}: {functions:?}"))
    };
    for name in ["outer", "brief_work"] {
        let now = &of(name)["now"];
        assert!(now["total_ns"].as_u64().expect("a number") > 0, "{name}: {now}");
        assert!(now["calls"].is_null(), "{name}: {now}");
    }
    // Nobody knows whether there were calls.
    let rows = document["tables"][0]["rows"].as_array().expect("rows");
    let is_unknown = |row: &Value| row["calls"].is_null() && row["calls_per_second"].is_null();
    assert!(!rows.is_empty() && rows.iter().all(is_unknown), "{rows:?}");
    assert!(of("burn")["now"]["self_ns"].as_u64().expect("a number") > 0);
    let threads = process["threads"].as_array().expect("a list");
    let is_named =
        |thread: &Value| thread["name"].as_str().is_some_and(|it| it.starts_with("stays"));
    assert!(threads.iter().any(is_named));
}

/// Starts the command of its arguments on a terminal of its own, sends it a signal when it has hidden the cursor, and tells how
/// it ended, whether the terminal was changed, and whether it is as before.
const ON_TERMINAL: &str = r#"
import os, pty, signal, subprocess, sys, termios
signal.alarm(300)
ours, theirs = pty.openpty()
before = termios.tcgetattr(theirs)
# The tests may run below nohup.
heed = lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL)
command = subprocess.Popen(sys.argv[2:], stdin=theirs, stdout=theirs, stderr=theirs, preexec_fn=heed)
def shown_until(end):
    shown = b""
    while end not in shown:
        shown += os.read(ours, 65536)
shown_until(b"\x1b[?25l")
is_changed = termios.tcgetattr(theirs) != before
command.send_signal(getattr(signal, sys.argv[1]))
status = command.wait()
is_restored = termios.tcgetattr(theirs) == before
shown_until(b"\x1b[?25h")
print(-status, is_changed, is_restored)
"#;

#[test]
fn a_signal_that_ends_it_leaves_the_terminal_as_it_was() {
    if !can_sample() {
        return;
    }
    let Some(python) = tools::find("python3") else { return };
    let program = SUITE.without_profile("life.c");
    let target = Target::start(&program, "work");
    for (signal, number) in [("SIGTERM", 15), ("SIGHUP", 1), ("SIGINT", 2)] {
        let mut command = quiet(&python);
        command.args(["-c", ON_TERMINAL, signal]).arg(gmon().get_program());
        command.args(["top", "--interval", "0.2", &target.id()]).env("TERM", "xterm");
        assert_eq!(text_of(&mut command), format!("{number} True True\n"), "{signal}");
    }
    target.end();
}

/// The numbers of the first threads are those of labels of stacks, too.
#[test]
fn many_threads_are_told_apart() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let target = Target::start(&program, "many");
    let mut command = gmon();
    command.args(["top", "--once", "--interval", "3", "--format", "json", &target.id()]);
    let text = text_of(&mut command);
    target.end();
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let threads = document["processes"][0]["threads"].as_array().expect("a list");
    let is_named =
        |thread: &&Value| thread["name"].as_str().is_some_and(|it| it.starts_with("stays"));
    let sampled = threads.iter().filter(is_named).filter(|it| it["all"]["self_ns"] != 0);
    assert_eq!((sampled.count(), threads.len()), (20, 22), "{threads:?}");
}

/// The name of the file is there after it was removed, too.
#[test]
fn functions_without_names_have_that_of_their_file() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let file = program.path("nameless");
    text_of(quiet("strip").arg("-o").arg(&file).arg(&program.executable));
    let target = Target::of(quiet(&file).arg("threads"));
    for is_there in [true, false] {
        if !is_there {
            fs::remove_file(&file).expect("a file");
        }
        let mut command = gmon();
        let text = text_of(command.args(["top", "--once", "--format", "csv", &target.id()]));
        assert!(text.contains("\nnameless+0x"), "{text}");
        assert!(text.lines().all(|row| !row.starts_with("exe")), "{text}");
    }
    target.end();
}
