//! What other programs read from each format: the totals, functions and calls that `gmon gprof` prints. An exit
//! status alone proves nothing, since most of them pass over what they do not understand.

use std::{collections::BTreeMap, process::Command};

use super::subjects::{Subject, function, list, sum};
use crate::conformance::programs;
use support::{
    command::{output_of, quiet, said},
    tools,
};

mod callgrind;
mod pictures;
mod pprof;
mod tables;

/// Calls by caller and callee.
type Arcs = BTreeMap<(String, String), u64>;

/// Has everything read a profile.
fn check(what: &str, subject: &Subject) {
    calls_are_those_of_gprof(what, subject);
    pprof::reads_times_and_calls(what, subject);
    callgrind::reads_times_and_calls(what, subject);
    pictures::graphviz_draws_as_many_calls_as_are_written(what, subject);
    if what.contains("stacks") {
        pictures::flame_graphs_have_all_samples(what, subject);
    }
}

#[test]
fn recursion_without_stacks() {
    check("recursion", &Subject::run("dear.c", "hz=1000"));
}

#[test]
fn recursion_with_stacks() {
    check("recursion with stacks", &Subject::run("dear.c", "stacks,hz=1000"));
}

#[test]
fn threads_with_stacks() {
    check("threads with stacks", &Subject::run("libraries.c", "stacks,hz=1000"));
}

#[test]
fn sqlite_without_stacks() {
    let Some(program) = programs::sqlite() else { return };
    let subject = Subject::large(program, &["50000"], "hz=1000");
    check("SQLite", &subject.by_linker_names());
}

#[test]
fn sqlite_with_stacks() {
    let Some(program) = programs::sqlite() else { return };
    let subject = Subject::large(program, &["50000"], "stacks,hz=1000");
    check("SQLite with stacks", &subject.by_linker_names());
}

#[test]
fn cpp_without_stacks() {
    if tools::find("g++").is_none() {
        return;
    }
    let program = programs::shapes("shapes.export", "g++", &["-O2"]);
    check("C++", &Subject::large(&program, &[], "hz=1000").by_linker_names());
}

#[test]
fn cpp_with_threads_and_stacks() {
    if tools::find("g++").is_none() {
        return;
    }
    let subject = Subject::large(&programs::workers(), &[], "stacks,hz=1000");
    check("C++ with threads and stacks", &subject.by_linker_names());
}

#[test]
fn rust_without_stacks() {
    check("Rust", &Subject::large(programs::words(), &[], "hz=1000").by_linker_names());
}

#[test]
fn rust_with_stacks() {
    let subject = Subject::large(programs::words(), &[], "stacks,hz=1000");
    check("Rust with stacks", &subject.by_linker_names());
}

/// A tool that reads exports: not in the way of what we set for `gmon`.
fn tool(name: &str) -> Option<Command> {
    tools::find(name).map(quiet)
}

/// Python with modules that the tools brought with them.
pub(super) fn python(modules: &str) -> Option<Command> {
    let python = tools::find("check-jsonschema")?.parent()?.join("python3");
    let known = output_of(quiet(&python).args(["-c", &format!("import {modules}")]));
    if !known.status.success() {
        tools::skip(format!("no {modules} for Python: {}", said(&known).trim_end()));
        return None;
    }
    Some(quiet(python))
}

/// The calls of arcs between functions, as the profile in JSON has them in code that was not inlined, by the
/// names for people.
fn arcs(subject: &Subject) -> Arcs {
    let profile = subject.json();
    let name = |id: &serde_json::Value| {
        let id = id.as_u64()? as usize;
        list(&profile, "functions")[id]["display"].as_str().map(str::to_owned)
    };
    let mut arcs = Arcs::new();
    for arc in list(&profile, "arcs") {
        let caller = name(&arc["within"]).or_else(|| name(&arc["caller"]));
        if let (Some(caller), Some(callee)) = (caller, name(&arc["callee"])) {
            *arcs.entry((caller, callee)).or_default() += arc["calls"].as_u64().unwrap_or(0);
        }
    }
    arcs.retain(|_, calls| *calls > 0);
    arcs
}

fn calls_are_those_of_gprof(what: &str, subject: &Subject) {
    let (profile, gprof) = (subject.json(), subject.gprof());
    let called = gprof.functions.iter().filter_map(|(name, calls)| Some((name, (*calls)?)));
    let called: Vec<_> = called.collect();
    assert!(called.len() > 3, "{what}");
    let mut unique = BTreeMap::new();
    called.iter().for_each(|(name, _)| *unique.entry(*name).or_insert(0) += 1);
    for (name, calls) in called.iter().filter(|(name, _)| unique[name] == 1) {
        let ours = function(&profile, name);
        let recursive = ours["recursive_calls"].as_u64().expect("a number");
        assert_eq!(ours["calls"].as_u64().map(|it| it - recursive), Some(*calls), "{what} {name}");
    }
    let in_program = |it: &&serde_json::Value| it["module"] == 0 && it["calls"].is_u64();
    let ours = list(&profile, "functions").iter().filter(in_program).count();
    assert_eq!(ours, called.len(), "{what}");
    if !what.contains("stacks") {
        // gprof rounds each function's time.
        let seconds = sum(&profile, "functions", "self_ns") as f64 / 1e9;
        let rounding = 0.0051 * gprof.functions.len() as f64;
        assert!((seconds - gprof.seconds).abs() < rounding, "{what}: {seconds} {}", gprof.seconds);
    }
}
