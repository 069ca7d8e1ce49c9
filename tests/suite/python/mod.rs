//! Functions and lines of Python in the stacks of its interpreter.

pub(crate) mod hosts;
mod truth;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use support::command::{gmon, output_of, said};
use support::python::interpreters;

/// The script, beside this file.
const SCRIPT: &str = include_str!("paths.py");
const NAME: &str = "paths.py";

/// Runs a script under `gmon run` in the environment of the tests.
fn profile(python: &Path, options: &[&str], words: &[&str]) -> Value {
    profile_with(&[], python, options, words)
}

/// Runs a script under `gmon run` with these variables of the environment: the profile as JSON.
fn profile_with(
    variables: &[(&str, &Path)],
    python: &Path,
    options: &[&str],
    words: &[&str],
) -> Value {
    let place = tempfile::tempdir().expect("a folder");
    let mut run = gmon();
    run.envs(variables.iter().copied());
    run.current_dir(place.path()).arg("run").args(options).arg(python).args(words);
    let output = output_of(&mut run);
    assert!(output.status.success(), "{python:?}: {output:?}");
    let mut export = gmon();
    export.current_dir(place.path()).args(["export", "--format", "json"]);
    let output = output_of(export.arg(python).arg("gmon.out"));
    assert!(output.status.success(), "{python:?}: {output:?}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

pub(crate) fn script(folder: &Path) -> String {
    let path = folder.join(NAME);
    fs::write(&path, SCRIPT).expect("a script");
    path.to_str().expect("a path").to_owned()
}

/// Name of a function that is not known.
const UNKNOWN: &str = "?";

/// A function of the script, as the end of its name, and its line.
type Frame = (String, u64);

/// Stacks of the functions of the script, the outermost first, each with its samples. What the evaluator executed that stayed is not
/// known.
fn stacks(profile: &Value) -> Vec<(Vec<Frame>, u64)> {
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let [frames, functions, files] =
        ["frames", "functions", "files"].map(|key| list(&profile[key]));
    let frame = |number: &Value| {
        let frame = &frames[number.as_u64()? as usize];
        let function = &functions[frame["function"].as_u64()? as usize];
        let is_evaluator = |name: &str| name.starts_with("_PyEval_EvalFrameDefault");
        if function["name"].as_str().is_some_and(is_evaluator) {
            return Some((UNKNOWN.to_owned(), 0));
        }
        let file = files[frame["file"].as_u64()? as usize].as_str()?;
        let (name, _) = function["name"].as_str()?.split_once(" (")?;
        let is_ours = file.ends_with(NAME) || file.rsplit('/').next() == Some("made");
        let name = name.rsplit('.').next()?.to_owned();
        is_ours.then_some((name, frame["line"].as_u64().unwrap_or(0)))
    };
    let stack = |stack: &Value| {
        let path = list(&stack["frames"]).iter().filter_map(frame).collect();
        (path, stack["samples"].as_u64().expect("a number"))
    };
    list(&profile["stacks"]).iter().map(stack).collect()
}

/// Lines in which functions call others, as the script says.
fn calls() -> BTreeSet<(Frame, String)> {
    let mut calls = BTreeSet::new();
    for (line, number) in SCRIPT.lines().zip(1..) {
        let Some((_, pairs)) = line.split_once("  # ") else { continue };
        for pair in pairs.split_whitespace() {
            // Names may begin and end with such a sign.
            let at = pair[1..].find('>').map(|at| at + 1);
            let at = at.map(|at| if pair[at + 1..].starts_with(">") { at + 1 } else { at });
            let at = at.expect("a pair");
            calls.insert(((pair[..at].to_owned(), number), pair[at + 1..].to_owned()));
        }
    }
    calls.insert((("<module>".to_owned(), 3), "leaf".to_owned()));
    calls
}

/// Judgement of the stacks of the script's functions.
pub(crate) struct Judged {
    /// Samples whose functions call each other in the lines that the script says, and others.
    pub(crate) good: u64,
    pub(crate) wrong: u64,
    bad: BTreeMap<Vec<Frame>, u64>,
    /// Samples under the functions that work calls.
    times: BTreeMap<String, u64>,
}

impl Judged {
    pub(crate) fn of(profile: &Value) -> Self {
        let calls = calls();
        let first = SCRIPT.lines().position(|line| line.starts_with("def leaf")).expect("leaf");
        let lines_of_leaf = first as u64 + 1..first as u64 + 6;
        let (mut good, mut bad) = (0, BTreeMap::new());
        let mut times: BTreeMap<String, u64> = BTreeMap::new();
        for (path, samples) in stacks(profile) {
            if path.iter().filter(|(name, _)| name != UNKNOWN).count() < 2 {
                continue;
            }
            let is_start = ["<module>", "work", UNKNOWN].contains(&path[0].0.as_str());
            let wrong = path.windows(2).find(|pair| {
                let call = (pair[0].clone(), pair[1].0.clone());
                let is_known = pair.iter().all(|(name, _)| name != UNKNOWN);
                is_known && !calls.contains(&call)
            });
            let (name, line) = path.last().expect("a frame");
            let is_line = name != "leaf" || lines_of_leaf.contains(line);
            match wrong {
                None if is_start && is_line => good += samples,
                _ => *bad.entry(path.clone()).or_insert(0) += samples,
            }
            if let Some((name, _)) = path.iter().find(|(name, _)| name.starts_with("call_")) {
                *times.entry(name.clone()).or_default() += samples;
            }
        }
        Self { good, wrong: bad.values().sum(), bad, times }
    }

    /// Sees that there are samples enough, of which at most so many in a thousand are wrong.
    #[track_caller]
    pub(crate) fn check(&self, python: &Path, least: u64, wrong: u64) {
        let Self { good, bad, .. } = self;
        assert!(*good >= least, "{python:?}: {good} samples");
        let all = good + self.wrong;
        assert!(self.wrong * 1000 <= all * wrong, "{python:?}: {} of {all}: {bad:#?}", self.wrong);
    }

    /// Sees that functions have their share of time.
    fn check_times(&self, python: &Path) {
        let times = &self.times;
        // Work of 40, 20 and 5 units.
        let of = |name: &str| times.get(name).copied().unwrap_or(0);
        let order = [of("call_class"), of("call_plain"), of("call_made")];
        assert!(order.is_sorted_by(|a, b| a > b) && order[2] > 0, "{python:?}: {times:?}");
    }
}

#[test]
fn functions_and_lines_are_those_that_call_each_other() {
    let place = tempfile::tempdir().expect("a folder");
    let script = script(place.path());
    for python in interpreters() {
        let profile = profile(&python, &["--rate", "1000"], &[&script, "0.5"]);
        let judged = Judged::of(&profile);
        judged.check(&python, 1000, 5);
        judged.check_times(&python);
    }
}

/// Code that takes the place of code that was freed has another file, but begins on the same line.
#[test]
fn code_of_several_files_is_told_apart_where_it_lies_at_one_address() {
    let place = tempfile::tempdir().expect("a folder");
    let script = "import time\n\
        def spin(seconds):\n    end = time.thread_time() + seconds\n    while time.thread_time() < end: pass\n\
        for n in range(4):\n    exec(compile('spin(0.1)', f'made_{n}.py', 'exec'))\n";
    let path = place.path().join("files.py");
    fs::write(&path, script).expect("a script");
    let path = path.to_str().expect("a path");
    for python in interpreters() {
        let profile = profile(&python, &["--rate", "1000"], &[path]);
        let list = |key: &str| profile[key].as_array().expect("a list").clone();
        let [frames, functions, stacks] = ["frames", "functions", "stacks"].map(list);
        let mut samples: BTreeMap<String, u64> = BTreeMap::new();
        for stack in &stacks {
            for frame in stack["frames"].as_array().expect("a list") {
                let frame = &frames[frame.as_u64().expect("a number") as usize];
                let function = frame["function"].as_u64().expect("a number") as usize;
                let name = functions[function]["name"].as_str().expect("a name");
                if name.contains("(made_") {
                    let sum = samples.entry(name.to_owned()).or_default();
                    *sum += stack["samples"].as_u64().expect("a number");
                }
            }
        }
        let all: u64 = samples.values().sum();
        let is_even = samples.values().all(|own| *own * 8 > all && *own * 2 < all);
        assert!(samples.len() == 4 && is_even, "{python:?}: {samples:?}");
    }
}

/// Data and exported profile say what is not known.
#[test]
fn reports_say_what_could_not_be_read() {
    let place = tempfile::tempdir().expect("a folder");
    let script = script(place.path());
    let Some(python) = interpreters().into_iter().next_back() else { return };
    let in_place = |words: &[&str], files: &[&Path]| {
        let output = output_of(gmon().current_dir(place.path()).args(words).args(files));
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &said(&output);
        text.lines().find(|it| it.starts_with("Python 3.")).map(str::to_owned)
    };
    let (data, json) = (Path::new("gmon.out"), Path::new("p.json"));
    let run = in_place(&["run"], &[&python, Path::new(&script), Path::new("0.3")]);
    let line = in_place(&["report"], &[&python, data]).expect("a line");
    assert_eq!(run.as_ref(), Some(&line));
    in_place(&["export", "-o", "p.json"], &[&python, data]);
    assert_eq!(in_place(&["report"], &[json]).as_ref(), Some(&line));

    let path = place.path().join(json);
    let mut profile: Value =
        serde_json::from_str(&fs::read_to_string(&path).expect("a profile")).expect("JSON");
    let known = &mut profile["run"]["python"];
    let version = known["version"].as_str().expect("a version").to_owned();
    let all = known["runs"].as_u64().expect("a number") + known["runs_left"].as_u64().expect("one");
    assert!(all > 200 && line.starts_with(&format!("Python {version}: ")), "{all}: {line}");
    *known = json!({ "version": version, "runs": 33_955, "runs_late": 12, "runs_left": 46 });
    fs::write(&path, profile.to_string()).expect("room");
    let expected = format!(
        "Python {version}: calls of its functions have no counts; of 34,001 runs of its interpreter 46 could not be \
         read and 12 were read a moment late"
    );
    assert_eq!(in_place(&["report"], &[json]), Some(expected));
}

#[test]
fn users_may_see_the_interpreter_instead() {
    let place = tempfile::tempdir().expect("a folder");
    let script = script(place.path());
    let Some(python) = interpreters().into_iter().next() else { return };
    let names = |options: &[&str]| {
        let profile = profile(&python, options, &[&script, "0.1"]);
        let functions = profile["functions"].as_array().expect("a list").clone();
        let names = functions.iter().filter_map(|function| function["name"].as_str());
        names.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let leaf = "leaf (paths.py)";
    assert!(names(&[]).contains(leaf));
    assert!(names(&["--python"]).contains(leaf));
    let without = names(&["--no-python"]);
    assert!(!without.contains(leaf), "{without:?}");
    assert!(without.iter().any(|name| name.contains("PyEval_Eval")), "{without:?}");
}

/// A script may be named as it was started, and a file of that name lie where somebody looks at the profile.
#[test]
fn sources_are_those_of_the_folder_in_which_it_ran() {
    const SOURCE: &str = "import os, time\n\
        def work():\n    end = time.process_time() + 0.3\n    while time.process_time() < end: pass\n\
        work()\nos.chdir('/')\n";
    let start = "exec(compile(open('a.py').read(), 'a.py', 'exec'))";
    let Some(python) = interpreters().into_iter().next() else { return };
    let place = tempfile::tempdir().expect("a folder");
    let [ran, other] = ["ran", "other"].map(|name| place.path().join(name));
    for folder in [&ran, &other] {
        fs::create_dir(folder).expect("a folder");
        fs::write(folder.join("a.py"), "another's\n".repeat(9)).expect("a file");
    }
    let script = ran.join("a.py");
    fs::write(&script, SOURCE).expect("a script");
    let mut run = gmon();
    let run = run.current_dir(&ran).args(["run", "-o", "profile"]).arg(&python);
    let output = output_of(run.args(["-c", start]));
    assert!(output.status.success(), "{output:?}");
    let annotated = || {
        let mut annotate = gmon();
        let annotate = annotate.current_dir(&other).arg("annotate").arg(&python);
        said_and_printed(&output_of(annotate.arg("../ran/profile")))
    };
    let warning = "a.py is newer than the profile: its lines may have moved";
    let text = annotated();
    assert!(text.contains("while time.process_time() < end"), "{text}");
    assert!(!text.contains("another's") && !text.contains(warning), "{text}");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(100);
    let file = fs::File::options().write(true).open(&script).expect("a script");
    file.set_modified(later).expect("a time");
    assert!(annotated().contains(warning));
}

/// Functions are chosen by their file, by a line or a name in it, and by all of their own name.
#[test]
fn functions_are_chosen_as_those_of_compiled_files_are() {
    const SOURCE: &str = "import time\n\
        class K:\n  def run(self, end):\n    while time.process_time() < end: pass\n\
        def run(end):\n  while time.process_time() < end: pass\n\
        K().run(time.process_time() + 0.3)\nrun(time.process_time() + 0.1)\n";
    // Others do not know what a function is a part of.
    let knows_class = |python: &PathBuf| {
        let asked = ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"];
        Command::new(python).args(asked).status().is_ok_and(|it| it.success())
    };
    let Some(python) = interpreters().into_iter().find(knows_class) else {
        return eprintln!("SKIPPED: there is no Python from 3.11 on");
    };
    let place = tempfile::tempdir().expect("a folder");
    fs::write(place.path().join("pl.py"), SOURCE).expect("a script");
    let gmon = |arguments: &[&str]| {
        let mut gmon = gmon();
        let gmon = gmon.current_dir(place.path()).args(arguments);
        let output = output_of(gmon);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let python = python.to_str().expect("a path");
    gmon(&["run", "--report", "/dev/null", python, "pl.py"]);
    gmon(&["export", python, "gmon.out", "-o", "profile.json"]);
    for (choice, of_method, of_function) in [
        ("pl.py", true, true),
        ("pl.py:K.run", true, false),
        ("pl.py:run", false, true),
        ("pl.py:6", false, true),
        ("run", true, true),
        ("run (pl.py)", false, true),
    ] {
        for data in [&[python, "gmon.out"][..], &["profile.json"]] {
            let format = ["--format", "folded", "--only", choice];
            let stacks = gmon(&[&["export"], data, &format].concat());
            assert_eq!(stacks.contains(";K.run (pl.py)"), of_method, "{choice}:\n{stacks}");
            assert_eq!(stacks.contains(";run (pl.py)"), of_function, "{choice}:\n{stacks}");
        }
    }
}

/// Everything that a command writes.
fn said_and_printed(output: &std::process::Output) -> String {
    [said(output), String::from_utf8_lossy(&output.stdout).into_owned()].concat()
}
