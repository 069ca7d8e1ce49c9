//! Functions and lines of Python in processes that run already.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use support::command::{gmon, text_of};
use support::python::interpreters;
use support::tools::skip_anywhere;

use super::{Target, can_sample, told};
use crate::python::hosts::under;
use crate::python::{Judged, script};

/// Says that it is ready, and runs the script.
const START: &str = "import sys; sys.argv.pop(0); print('ready', flush=True); \
    exec(compile(open(sys.argv[0]).read(), sys.argv[0], 'exec'))";

/// Runs that are looked at until one could be read well.
const MOST_RUNS: usize = 4;

/// Starts a script, whose words come behind its path: a number of seconds to work in each of three threads. `None` if its memory may not be read.
fn start(python: &Path, words: &[&str]) -> Option<Target> {
    let target = Target::of(Command::new(python).args(["-c", START]).args(words));
    if File::open(format!("/proc/{}/mem", target.id())).is_ok() {
        return Some(target);
    }
    skip_anywhere("the memory of other processes may not be read here");
    target.end();
    None
}

/// Samples a process until it ends: the profile as JSON, and the facts of the full profile.
fn profile(target: Target, python: &Path, words: &[&str]) -> (Value, String) {
    let place = tempfile::tempdir().expect("a folder");
    let mut run = gmon();
    run.current_dir(place.path()).args(["run", "--pid", &target.id()]);
    told(run.args(words));
    target.end();
    let mut export = gmon();
    export.current_dir(place.path()).args(["export", "--format", "json"]).arg(python);
    let json = serde_json::from_str(&text_of(export.arg("gmon.out"))).expect("JSON");
    let full = fs::read(place.path().join("gmon.out.full")).expect("a full profile");
    (json, String::from_utf8_lossy(&full).into_owned())
}

/// The value of a fact.
fn fact(facts: &str, key: &str) -> Option<String> {
    let value = facts.split(&format!("\n{key}=")).nth(1)?;
    Some(value.split('\n').next()?.to_owned())
}

fn names(profile: &Value) -> BTreeSet<String> {
    let functions = profile["functions"].as_array().expect("a list");
    functions.iter().filter_map(|it| it["name"].as_str()).map(str::to_owned).collect()
}

#[test]
fn functions_and_lines_of_python_are_those_that_call_each_other() {
    if !can_sample() {
        return;
    }
    let place = tempfile::tempdir().expect("a folder");
    let script = script(place.path());
    for python in interpreters() {
        let Some(target) = start(&python, &[&script, "0.5"]) else { return };
        let (profile, facts) = profile(target, &python, &[]);
        // On a busy machine most are read too late.
        Judged::of(&profile).check(&python, 50, 10);
        // Runs of the evaluator that stayed are counted, each of them.
        let number = |key: &str| fact(&facts, key).and_then(|it| it.parse::<u64>().ok());
        assert!(fact(&facts, "python").is_some_and(|it| it.starts_with("3.")), "{python:?}");
        let (replaced, left) = (number("python_runs"), number("python_runs_left"));
        assert!(replaced >= Some(50) && left.is_some(), "{python:?}: {replaced:?} {left:?}");
    }
}

/// Threads that run another interpreter from within their first one have the functions of both.
#[test]
fn functions_of_several_interpreters_call_each_other() {
    if !can_sample() {
        return;
    }
    let place = tempfile::tempdir().expect("a folder");
    let inner = script(place.path());
    let outer = place.path().join("several.py");
    fs::write(&outer, include_str!("../python/several.py")).expect("a script");
    let outer = outer.to_str().expect("a path");
    for python in interpreters() {
        // Where the machine does other work the outer ones may be read too late in a whole run.
        let mut found = (0, 0);
        for _ in 0..MOST_RUNS {
            let Some(target) = start(&python, &[outer, &inner, "0.5"]) else { return };
            let (profile, _) = profile(target, &python, &[]);
            Judged::of(&profile).check(&python, 50, 10);
            found = under(&profile, "run (several.py)", "<module> (paths.py)");
            if found.0 * 10 >= found.1 * 9 && found.1 > 20 {
                break;
            }
        }
        let (inside, all) = found;
        assert!(inside * 10 >= all * 9 && all > 20, "{python:?}: {inside} of {all}");
    }
}

#[test]
fn users_may_see_the_interpreter_of_a_process_instead() {
    if !can_sample() {
        return;
    }
    let place = tempfile::tempdir().expect("a folder");
    let script = script(place.path());
    let Some(python) = interpreters().into_iter().next_back() else { return };
    let Some(target) = start(&python, &[&script, "0.2"]) else { return };
    let (profile, facts) = profile(target, &python, &["--no-python"]);
    let names = names(&profile);
    assert!(!names.iter().any(|name| name.contains("paths.py")), "{names:?}");
    assert!(names.iter().any(|name| name.contains("PyEval_Eval")), "{names:?}");
    assert_eq!(fact(&facts, "python_runs"), None);
}

#[test]
fn gmon_top_shows_functions_of_python() {
    if !can_sample() {
        return;
    }
    let place = tempfile::tempdir().expect("a folder");
    let script = script(place.path());
    let Some(python) = interpreters().into_iter().next_back() else { return };
    let Some(target) = start(&python, &[&script, "2"]) else { return };
    let mut command = gmon();
    command.args(["top", "--once", "--interval", "3", "--format", "json", &target.id()]);
    let text = text_of(&mut command);
    target.end();
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let functions = document["processes"][0]["functions"].as_array().expect("a list");
    let leaf = functions.iter().find(|it| it["name"] == "leaf (paths.py)");
    let leaf = leaf.unwrap_or_else(|| panic!("{functions:?}"));
    assert!(leaf["now"]["self_ns"].as_u64().expect("a number") > 0, "{leaf}");
}
