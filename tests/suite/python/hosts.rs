//! Interpreters elsewhere than in a process of their own: several in one, in a program of C, and in children.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::command::text_of;
use support::python::interpreters;
use support::tools;

use super::{Judged, profile, profile_with, script};

/// Runs a script that runs the other one, whose path and seconds it gets, in every interpreter: its profiles.
fn profiles(text: &str, name: &str) -> Vec<(PathBuf, Value)> {
    let place = tempfile::tempdir().expect("a folder");
    let inner = script(place.path());
    let outer = place.path().join(name);
    fs::write(&outer, text).expect("a script");
    let outer = outer.to_str().expect("a path");
    let of = |python: PathBuf| {
        let profile = profile(&python, &["--rate", "1000"], &[outer, &inner, "0.3"]);
        (python, profile)
    };
    interpreters().into_iter().map(of).collect()
}

/// Two interpreters beside the first one, each in a thread that begins others.
#[test]
fn several_interpreters_in_a_process_are_told_apart() {
    for (python, profile) in profiles(include_str!("several.py"), "several.py") {
        Judged::of(&profile).check(&python, 500, 5);
        let (inside, all) = under(&profile, "run (several.py)", "<module> (paths.py)");
        assert!(inside * 100 >= all * 99 && all > 100, "{python:?}: {inside} of {all}");
    }
}

/// Samples of a function that have another one above it, and all of it.
pub(crate) fn under(profile: &Value, caller: &str, function: &str) -> (u64, u64) {
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let [frames, functions, stacks] =
        ["frames", "functions", "stacks"].map(|key| list(&profile[key]));
    let index = |value: &Value| value.as_u64().expect("a number") as usize;
    let (mut inside, mut all) = (0, 0);
    for stack in &stacks {
        let function_of = |frame: &Value| &functions[index(&frames[index(frame)]["function"])];
        let path = list(&stack["frames"]);
        let place = |name: &str| path.iter().position(|it| function_of(it)["name"] == name);
        let samples = stack["samples"].as_u64().expect("a number");
        if let Some(at) = place(function) {
            all += samples;
            inside += if place(caller).is_some_and(|above| above < at) { samples } else { 0 };
        }
    }
    (inside, all)
}

/// Children by each way that there is to start one.
#[test]
fn children_have_the_stacks_of_their_own_interpreters() {
    for (python, profile) in profiles(include_str!("children.py"), "children.py") {
        Judged::of(&profile).check(&python, 1000, 5);
        let processes = profile["run"]["processes"].as_u64();
        assert!(processes >= Some(5), "{python:?}: {processes:?}");
    }
}

/// The library of an interpreter, if it has one.
fn library(python: &Path) -> Option<String> {
    let words =
        "from sysconfig import get_config_var as v; print(v('LIBDIR') + '/' + v('INSTSONAME'))";
    let path = text_of(Command::new(python).args(["-c", words])).trim().to_owned();
    path.contains(".so").then_some(path).filter(|path| Path::new(path).exists())
}

#[test]
fn programs_that_load_an_interpreter_twice_have_its_functions() {
    let Some(gcc) = tools::find("gcc") else { return };
    let place = tempfile::tempdir().expect("a folder");
    let script = script(place.path());
    let path = |name: &str| place.path().join(name).display().to_string();
    fs::write(path("embeds.c"), include_str!("embeds.c")).expect("a source");
    text_of(Command::new(gcc).args([&path("embeds.c"), "-O1", "-ldl", "-o", &path("embeds")]));
    let libraries: Vec<_> = interpreters().iter().filter_map(|python| library(python)).collect();
    if libraries.is_empty() {
        return tools::skip_anywhere("no interpreter has a library");
    }
    for library in libraries {
        let embeds = PathBuf::from(path("embeds"));
        let profile = profile(&embeds, &["--rate", "1000"], &[&library, &script, "0.2"]);
        let judged = Judged::of(&profile);
        judged.check(Path::new(&library), 500, 5);
        // It is C that calls each of them.
        let names = profile["functions"].as_array().expect("a list");
        assert!(names.iter().any(|it| it["name"] == "run_one"), "{library}");
    }
}

/// Copies without symbols but those that modules of Python need.
#[test]
fn stripped_interpreters_have_their_functions() {
    let Some(strip) = tools::find("strip") else { return };
    let place = tempfile::tempdir().expect("a folder");
    let script = script(place.path());
    let stripped = |from: &Path| {
        let to = place.path().join(from.file_name().expect("a name"));
        text_of(Command::new(&strip).arg(from).arg("-o").arg(&to));
        to
    };
    for python in interpreters() {
        let home =
            text_of(Command::new(&python).args(["-c", "import sys; print(sys.base_prefix)"]));
        library(&python).map(|library| stripped(Path::new(&library)));
        let copy = stripped(&python);
        let variables = [("PYTHONHOME", Path::new(home.trim())), ("LD_LIBRARY_PATH", place.path())];
        let profile = profile_with(&variables, &copy, &["--rate", "1000"], &[&script, "0.3"]);
        Judged::of(&profile).check(&python, 500, 5);
    }
}
