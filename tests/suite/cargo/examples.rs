//! The examples of Rust: their profiles say what they count themselves.

use std::{collections::BTreeMap, fs};

use super::project::{Project, Run};
use support::{
    command::{gmon_gprof, gnu_gprof, output_of, quiet, text_of},
    targets::HOST,
    tools,
};

/// Why a desk leaves examples to CI.
const CRATES: &str = "it builds crates of others";

/// All functions in the summary.
const ALL: &str = "--top 100000";

#[test]
fn small_program_is_counted_and_gnu_gprof_and_gprof2dot_agree() {
    let examples = Project::examples();
    let run = examples.run(&format!("run {ALL}")).succeeded();
    run.is_true();
    let Some(report) = gnu_gprof(HOST, &run.executable(), &examples.data()) else { return };
    // Recursive calls are shown apart: `1+21890`.
    let number = |word: &str| word.split('+').map(|n| n.parse::<u64>().ok()).sum::<Option<u64>>();
    for (name, calls) in run.truth() {
        let mut rows = report.lines().filter(|line| line.contains(&format!(" {name}")));
        let is_right = |row: &str| row.split_whitespace().any(|word| number(word) == Some(calls));
        assert!(rows.any(is_right), "{name} {calls}\n{report}");
    }

    let Some(gprof2dot) = tools::find("gprof2dot") else { return };
    for report in [report, gmon_gprof(&run.executable(), &examples.data())] {
        let path = examples.data().with_file_name("report");
        fs::write(&path, report).expect("a file");
        let mut draw = quiet(&gprof2dot);
        let graph = text_of(draw.args(["--format=prof", "--node-thres=0"]).arg(&path));
        for (name, calls) in run.truth() {
            let is_it = |line: &str| {
                line.contains(&format!("label=\"{name}\\n"))
                    && line.contains(&format!("\\n{calls}×\""))
            };
            assert!(graph.lines().any(is_it), "{name} {calls}\n{graph}");
        }
    }
}

#[test]
fn program_says_itself_what_is_counted() {
    let run = Project::examples().run(&format!("run -p control {ALL}")).succeeded();
    run.is_true();
    assert!(run.stdout.contains(" snapshot true\n"), "{}", run.stdout);
}

#[test]
fn control_does_nothing_without_the_runtime() {
    let examples = Project::examples();
    let mut cargo = quiet(env!("CARGO"));
    cargo.args(["run", "--quiet", "--release", "--target-dir"]).arg(examples.target());
    cargo.args(["--manifest-path", "examples/rust/control/Cargo.toml"]);
    let printed = output_of(cargo.current_dir(env!("CARGO_MANIFEST_DIR")));
    let printed = String::from_utf8_lossy(&printed.stdout).into_owned();
    assert!(printed.contains("499500 1275 2485 snapshot false\n"), "{printed}");
}

#[test]
fn dependencies_are_counted_unless_they_are_excluded() {
    if tools::is_left_to_ci(CRATES) {
        return;
    }
    const OF_ANOTHER_CRATE: &str = "<u32 as itoa::Unsigned>::fmt";
    let examples = Project::examples();
    let run = examples.run(&format!("run -p dependencies {ALL}")).succeeded();
    run.is_true();
    assert_eq!(run.summary().get(OF_ANOTHER_CRATE), Some(&1000), "{}", run.stderr);
    let run = examples.run(&format!("run -p dependencies --exclude ito* {ALL}")).succeeded();
    run.is_true();
    assert_eq!(run.summary().get(OF_ANOTHER_CRATE), None, "{}", run.stderr);
}

/// The calls of an example by one way to hooks, which must be what it counts itself, without those that
/// the ways see differently: `main`, which rustc makes itself, has none of rustc's own hooks, and the
/// functions through which memory is asked for get none in another way.
fn count(example: &str, way: &str) -> BTreeMap<String, u64> {
    let examples = Project::examples();
    let options = format!("out={}", examples.data().display());
    let mut command = examples.command(&format!("run -p {example} --hooks {way} {ALL}"));
    // A stable compiler counts with its own hooks as a nightly one does, and inlines as itself.
    command.env("RUSTC_BOOTSTRAP", "1").env("GMON_OPTIONS", options);
    // To compile SQLite takes longest, and how well is not to be seen in its calls.
    command.env("CFLAGS", "-O1");
    let run = Run::of(&mut command).succeeded();
    run.is_true();
    let mut calls = run.summary();
    calls.retain(|name, _| name != "main" && !name.starts_with("__rust"));
    calls
}

#[test]
fn every_way_counts_the_same() {
    let expected = count("small", "unstable");
    assert!(expected.len() > 5, "{expected:?}");
    for way in ["attributes", "guards"] {
        assert_eq!(count("small", way), expected, "{way}");
    }
}

/// Of `sqlite`, both sides: `sqlite3_step` is C that is called from Rust, and calls C that calls Rust.
#[test]
fn every_function_is_counted_as_by_rustc_s_own_hooks() {
    // The first ones are of no crates but our own.
    let examples = ["control", "no_std", "dependencies", "sqlite"];
    for example in tools::representatives(&examples, 2, "examples") {
        assert_eq!(count(example, "attributes"), count(example, "unstable"), "{example}");
    }
}

/// How threads share work differs from run to run, and with it how often a task is polled; but not what
/// each function of theirs is called for.
#[test]
fn threads_and_tasks_are_counted_as_by_rustc_s_own_hooks() {
    if tools::is_left_to_ci(CRATES) {
        return;
    }
    for example in ["parallel", "tasks"] {
        let own = |way: &str| {
            let mut calls = count(example, way);
            let is_own = |name: &str| name.starts_with(&format!("{example}::"));
            calls.retain(|name, _| is_own(name) && !name.contains("{closure"));
            calls
        };
        let calls = own("attributes");
        assert!(!calls.is_empty() && calls == own("unstable"), "{example}: {calls:?}");
    }
}
