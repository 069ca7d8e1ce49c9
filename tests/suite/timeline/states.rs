//! When threads ran, could have run, and waited.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{OPTIONS, SUITE};
use support::{
    command::{gmon, said, text_of},
    suite::printed,
};

/// Sums of a thread's states, in milliseconds.
#[derive(Debug, PartialEq)]
struct Sums {
    running: f64,
    runnable: f64,
    waiting: f64,
    unknown: f64,
    lived: f64,
    from_samples: bool,
}

impl Sums {
    fn of(states: &Value) -> Self {
        let list = |name: &str| -> Vec<u64> {
            let list = states[name].as_array().into_iter().flatten();
            list.map(|it| it.as_u64().expect("a number")).collect()
        };
        let (lengths, all) = (list("lengths_us"), list("steps_us"));
        let sum =
            |positions: Vec<u64>| positions.iter().map(|at| lengths[*at as usize]).sum::<u64>();
        let (runnable, unknown) = (sum(list("runnable")), sum(list("unknown")));
        let time = |name: &str| states[name].as_u64().expect("a time");
        let lived = time("to_us") - time("from_us");
        let gaps: u64 = lengths.iter().sum();
        assert!(all.iter().sum::<u64>() + gaps <= lived, "{states}");
        let milliseconds = |us: u64| us as f64 / 1e3;
        Self {
            running: milliseconds(lived - gaps),
            runnable: milliseconds(runnable),
            waiting: milliseconds(gaps - runnable - unknown),
            unknown: milliseconds(unknown),
            lived: milliseconds(lived),
            from_samples: states["from_samples"].as_bool().unwrap_or(false),
        }
    }
}

/// States are those of the scheduler, and add up to the time that the threads lived. Where the kernel tells no switches, the
/// threads' clocks do.
#[test]
fn threads_ran_and_waited_as_long_as_the_scheduler_says() {
    let program = SUITE.build("states.c", "default", &["-pthread"]);
    program.clear();
    let output = program.run(&[], &[("GMON_OPTIONS", OPTIONS)]);
    assert_eq!(said(&output), "");
    let text = String::from_utf8(output.stdout).expect("text");
    let mut export = gmon();
    export.args(["export", "--format", "json"]).arg(&program.executable);
    let json: Value =
        serde_json::from_str(&text_of(export.arg(program.path("gmon.out")))).expect("JSON");
    let states = json["timeline"]["states"].as_array().expect("states");
    assert_eq!(states.len(), 2, "{states:?}");
    let threads = json["threads"].as_array().expect("threads");
    for states in states {
        // The first is that of the first sample.
        let thread = threads.iter().find(|it| it["id"] == states["thread"]).expect("a thread");
        let is_main = thread["tid"] == thread["pid"];
        let (name, slept) = if is_main { ("main", 300.0) } else { ("thread", 200.0) };
        let sums = Sums::of(states);
        let known = |what: &str| {
            let text = printed(&text, &format!("{name}_{what}"));
            text.parse::<f64>().expect("a number") / 1e6
        };
        let parts = sums.running + sums.runnable + sums.waiting + sums.unknown;
        assert!((parts - sums.lived).abs() < 0.01, "{states}");
        assert!(sums.waiting + sums.unknown >= 0.9 * slept, "{states}");
        if sums.from_samples {
            continue;
        }
        // What it does after it has asked, and gaps that are left out.
        let slack = 20.0 + sums.lived / 20.0;
        assert!((sums.running - known("ran")).abs() < slack, "{text} {states}");
        // A wait lasts until the thread runs again, also where others have the processors.
        assert!(sums.runnable <= known("runnable") + slack, "{text} {states}");
    }
    if !json["timeline"]["states"].to_string().contains("from_samples") {
        let mut report = gmon();
        let text =
            text_of(report.arg("report").arg(&program.executable).arg(program.path("gmon.out")));
        assert!(text.contains("runnable without a processor"), "{text}");
    }
}

/// In the sum of the processes of a run each thread is itself, and has the states that it has alone.
#[test]
fn threads_of_several_processes_have_states_of_their_own() {
    let program = SUITE.build("states.c", "default", &["-pthread"]);
    program.clear();
    let output = program.run(&["fork"], &[("GMON_OPTIONS", OPTIONS)]);
    assert_eq!(said(&output), "");
    let text = String::from_utf8(output.stdout).expect("text");
    let child = format!("gmon.out.{}", printed(&text, "child"));
    let states = |files: &[&str]| -> BTreeMap<String, Sums> {
        let mut export = gmon();
        export.args(["export", "--format", "json"]).arg(&program.executable);
        export.args(files.iter().map(|name| program.path(name)));
        let json: Value = serde_json::from_str(&text_of(&mut export)).expect("JSON");
        let states = json["timeline"]["states"].as_array().expect("states");
        let threads = json["threads"].as_array().expect("threads");
        let of_thread = |states: &Value| {
            let thread = threads.iter().find(|it| it["id"] == states["thread"]).expect("a thread");
            (format!("{} of {}", thread["tid"], thread["pid"]), Sums::of(states))
        };
        states.iter().map(of_thread).collect()
    };
    let files = ["gmon.out", &child];
    let alone: BTreeMap<_, _> = files.into_iter().flat_map(|file| states(&[file])).collect();
    assert_eq!(alone.len(), 4, "{alone:?}");
    assert_eq!(states(&files), alone);
    super::merge(&program, &files);
    assert_eq!(states(&["sum"]), alone);
    // So has the sum of a sum.
    super::merge(&program, &["sum"]);
    assert_eq!(states(&["sum"]), alone);
}
