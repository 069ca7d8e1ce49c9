//! Code of processes that run already.

use std::process::{Command, Stdio};
use std::{fs, io::Read, io::Write};

use support::command::{gmon, output_of, said, text_of};
use support::program::Program;
use support::tools;

use super::{Map, SUITE, is_three_times, seconds};
use crate::attach::can_sample;

/// Samples the program from outside while it does what a word says. Returns the summary.
fn look(program: &Program, words: &str, options: &str) -> (String, Map) {
    let mut command = Command::new(&program.executable);
    command.current_dir(program.path("")).args(words.split_whitespace());
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a program");
    let map = Map(format!("/tmp/perf-{}.map", child.id()).into());
    let mut output = child.stdout.take().expect("a pipe");
    let mut first = [0; 1];
    output.read_exact(&mut first).expect("a word");
    let mut command = gmon();
    command.current_dir(program.path("")).args(["run", "--top", "40", "--pid"]);
    command.arg(child.id().to_string()).args(options.split_whitespace());
    let output = output_of(&mut command);
    // One that has ended needs no end.
    _ = child.stdin.take().map(|mut input| input.write_all(b"end"));
    assert!(child.wait().expect("an end").success());
    assert!(output.status.success(), "{output:?}");
    (said(&output), map)
}

#[test]
fn code_of_a_running_process_has_names() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("made.c");
    for what in tools::shared_out(&["map", "dump"], "kinds of files of names") {
        let (summary, _map) = look(&program, &format!("{what} -"), "--for 2s");
        let of =
            |name: &str| seconds(&summary, name).unwrap_or_else(|| panic!("{name}: {summary}"));
        assert!(is_three_times(of("hot_made"), of("warm_made")), "{what}: {summary}");
        assert!(summary.contains("; all followed to their start"), "{what}: {summary}");
    }
    let (summary, _map) = look(&program, "none -", "--for 1s");
    assert!(seconds(&summary, "[JIT]").is_some(), "{summary}");
    assert!(summary.contains("code that no file has ("), "{summary}");
}

#[test]
fn copied_code_of_a_running_process_has_names() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("copied.c");
    let (summary, _) = look(&program, "-", "--for 1s");
    let of = |name: &str| seconds(&summary, name).unwrap_or_else(|| panic!("{name}: {summary}"));
    // What is not seen of a process that stays on its processor is the kernel's, or nobody's.
    assert!(of("spin") > 0.0 && !summary.contains("[JIT]"), "{summary}");
    let name = program.executable.file_name().expect("a name").to_string_lossy();
    assert!(
        !summary.contains(&format!("[{name}]")),
        "the program is a module beside itself: {summary}"
    );
}

#[test]
fn gmon_top_shows_names() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("made.c");
    let mut command = Command::new(&program.executable);
    let command = command.args(["map", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("a program");
    let _map = Map(format!("/tmp/perf-{}.map", child.id()).into());
    let mut output = child.stdout.take().expect("a pipe");
    output.read_exact(&mut [0]).expect("a word");
    let id = child.id().to_string();
    let text = text_of(gmon().args(["top", "--once", "--interval", "3", "--format", "json", &id]));
    drop(child.stdin.take());
    assert!(child.wait().expect("an end").success());
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let functions = document["processes"][0]["functions"].as_array().expect("a list");
    let hot = functions.iter().find(|it| it["name"] == "hot_made");
    let hot = hot.unwrap_or_else(|| panic!("{functions:?}"));
    assert_eq!(hot["module"], "JIT");
    assert!(hot["now"]["self_ns"].as_u64().expect("a number") > 0, "{hot}");
}

/// A map has no times, but we know how long it was when.
#[test]
fn code_in_the_place_of_other_code_is_told_apart() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("made.c");
    for what in tools::shared_out(&["twice 30", "dumped-twice 15"], "kinds of files of names") {
        let (summary, _map) = look(&program, what, "");
        let of =
            |name: &str| seconds(&summary, name).unwrap_or_else(|| panic!("{name}: {summary}"));
        assert!((0.2..4.0).contains(&(of("early_made") / of("late_made"))), "{what}: {summary}");
    }
}

/// The number and the folder of temporary files are those of the process.
#[test]
fn maps_are_found_in_other_namespaces() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("made.c");
    let root = program.path("root");
    fs::create_dir_all(root.join("tmp")).expect("a folder");
    let script = format!(
        "exec 9<{}; cd /; mount --bind {} /tmp && exec /proc/self/fd/9 map -",
        program.executable.display(),
        root.join("tmp").display()
    );
    let mut command = Command::new("unshare");
    command.args(["-rmpf", "--mount-proc", "sh", "-c", &script]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        tools::skip_anywhere("there is no unshare");
        return;
    };
    let mut output = child.stdout.take().expect("a pipe");
    let mut first = [0; 1];
    if output.read_exact(&mut first).is_err() {
        child.wait().expect("an end");
        tools::skip_anywhere("namespaces are refused here");
        return;
    }
    let mut command = gmon();
    command.current_dir(program.path(""));
    command.args(["run", "--top", "40", "--for", "2s", "--pid", &child.id().to_string()]);
    let output = output_of(&mut command);
    drop(child.stdin.take());
    child.wait().expect("an end");
    let summary = said(&output);
    assert!(output.status.success(), "{summary}");
    let of = |name: &str| seconds(&summary, name).unwrap_or_else(|| panic!("{name}: {summary}"));
    assert!(is_three_times(of("hot_made"), of("warm_made")), "{summary}");
}
