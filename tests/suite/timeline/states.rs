//! When threads ran, could have run, and waited.

use serde_json::Value;

use super::{OPTIONS, SUITE};
use support::{
    command::{gmon, said, text_of},
    suite::printed,
};

/// Sums of a thread's states, in milliseconds.
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

/// In the sum of several processes each thread lives as long as in its own: none lives on in another's time.
#[test]
fn lives_of_threads_of_several_processes_add_up() {
    let program = SUITE.build("marked.c", "default", &["-pthread"]);
    program.clear();
    let output = program.run(&["50", "fork"], &[("GMON_OPTIONS", OPTIONS)]);
    assert_eq!(said(&output), "");
    let text = String::from_utf8(output.stdout).expect("text");
    let files = ["gmon.out".to_owned(), format!("gmon.out.{}", printed(&text, "pid"))];
    let lived = |files: &[&str]| -> u64 {
        let mut export = gmon();
        export.args(["export", "--format", "json"]).arg(&program.executable);
        export.args(files.iter().map(|name| program.path(name)));
        let json: Value = serde_json::from_str(&text_of(&mut export)).expect("JSON");
        let states = json["timeline"]["states"].as_array().expect("states");
        states.iter().map(|it| (Sums::of(it).lived * 1e3).round() as u64).sum()
    };
    let files = [files[0].as_str(), &files[1]];
    assert_eq!(lived(&files), files.map(|file| lived(&[file])).iter().sum::<u64>());
}
