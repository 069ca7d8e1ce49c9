//! Stacks against those that the interpreter itself says: in the same thread, at the same moment, one by one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use support::command::text_of;
use support::python::interpreters;
use support::tools;

use super::profile;

/// Runs that are enough for the samples that are wanted on any machine.
const MOST_RUNS: u32 = 20;

/// Name, file and line of a function that is executed; no line where that is not known.
type Frame = (String, String, u64);

/// The innermost first.
type Stack = Vec<Frame>;

/// What the interpreter said.
#[derive(Default)]
struct Truth {
    /// Stacks by the name of the phase in which the sampler looked, each with whether only its innermost part was said. Nothing if
    /// the interpreter failed.
    said: BTreeMap<String, Option<(Stack, bool)>>,
    /// Where functions begin.
    first_lines: BTreeSet<Frame>,
}

impl Truth {
    fn of(text: &str) -> Self {
        let mut truth = Self::default();
        let frame = |line: &str| {
            let (path, rest) = line.split_once('"')?.1.split_once("\", line ")?;
            let (line, name) = rest.split_once(" in ")?;
            // 3.13 calls classes by a frame of the interpreter's own, which is named after what it calls.
            let is_own = line == "???" && path == "__init__" && name == path;
            (!is_own).then(|| (name.to_owned(), path.to_owned(), line.parse().unwrap_or(0)))
        };
        for block in text.split_terminator("\n\n") {
            // A thread that the interpreter does not know has no stack.
            let (block, number) = block.rsplit_once('\n').unwrap_or(("", block));
            // 3.14's ends behind a frame that has no line: the interpreter's own, or one that has only been entered.
            let is_cut = block.ends_with("<invalid frame>");
            let mut stack: Stack = block.lines().filter_map(frame).collect();
            if is_cut && stack.last().is_some_and(|frame| frame.2 == 0) {
                stack.pop();
            }
            let is_known = !(block.ends_with("failed") || is_cut && stack.is_empty());
            truth.said.insert(number.to_owned(), is_known.then_some((stack, is_cut)));
        }
        let first = text.lines().filter(|line| line.starts_with("first"));
        truth.first_lines = first.filter_map(frame).collect();
        truth
    }

    /// Returns `true` if a sample is what was said when it was taken. faulthandler shows functions that have only been entered,
    /// `sys._current_frames()` does not: the innermost may be such a one.
    fn is_of(&self, ours: &[Frame], said: &(Stack, bool)) -> bool {
        let (stack, is_cut) = said;
        let is_entered = |frame: &Frame| {
            let is_module = frame.0 == "<module>" && frame.2 == 1;
            frame.2 == 0 || is_module || self.first_lines.contains(frame)
        };
        let may_be_entered = stack.first().is_some_and(is_entered);
        let ours = folded(ours);
        // What was not said is the rest of ours.
        let mut rests = if *is_cut { 0..=ours.len() } else { ours.len()..=ours.len() };
        rests.any(|rest| {
            let is_ours =
                |part: &[Frame]| folded(part.iter().chain(ours[rest..].iter().copied())) == ours;
            is_ours(stack) || may_be_entered && is_ours(&stack[1..])
        })
    }
}

/// Frames without rounds of calls that repeat: gmon keeps two of many.
fn folded<'f>(frames: impl IntoIterator<Item = &'f Frame>) -> Vec<&'f Frame> {
    let mut kept = Vec::new();
    for frame in frames {
        kept.push(frame);
        let ends = |round: usize| kept[..kept.len() - round].ends_with(&kept[kept.len() - round..]);
        if let Some(round) = (1..=kept.len() / 2).find(|round| ends(*round)) {
            kept.truncate(kept.len() - round);
        }
    }
    kept
}

/// Stacks of functions of Python that were found in phases, each with the name of its phase.
fn samples(profile: &Value) -> Vec<(String, Stack)> {
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let number = |value: &Value| value.as_u64().expect("a number");
    let [frames, functions, modules, files, stacks] =
        ["frames", "functions", "modules", "files", "stacks"].map(|key| list(&profile[key]));
    let frame = |at: &Value| {
        let frame = &frames[at.as_u64()? as usize];
        let function = &functions[frame["function"].as_u64()? as usize];
        let module = &modules[function["module"].as_u64()? as usize];
        let (name, _) = function["name"].as_str()?.rsplit_once(" (")?;
        let name = name.rsplit('.').next()?.to_owned();
        let file = files[function["file"].as_u64()? as usize].as_str()?.to_owned();
        (module["path"] == "[python]").then(|| (name, file, frame["line"].as_u64().unwrap_or(0)))
    };
    let [phases, steps, places, later] =
        ["marks", "steps_us", "stacks", "found_later"].map(|key| list(&profile["timeline"][key]));
    let later: BTreeSet<u64> = later.iter().map(number).collect();
    let mut by_start = BTreeMap::new();
    for phase in &phases {
        let (start, thread) = (number(&phase["at_ns"]), number(&phase["thread"]));
        let end = start + number(&phase["length_ns"]);
        by_start.insert((thread, start / 1000), (end / 1000, &phase["name"]));
    }
    let (mut now, mut found) = (0, Vec::new());
    for (at, (step, place)) in (0..).zip(steps.iter().zip(&places)) {
        now += number(step);
        let stack = &stacks[number(place) as usize];
        let thread = number(&stack["thread"]);
        let begun = by_start.range((thread, 0)..=(thread, now)).next_back();
        let phase = begun.filter(|(_, (end, _))| now <= *end && !later.contains(&at));
        if let Some((_, (_, name))) = phase {
            let path = list(&stack["frames"]).iter().rev().filter_map(frame).collect();
            found.push((name.as_str().expect("a name").to_owned(), path));
        }
    }
    found
}

fn check(python: &Path, folder: &Path) {
    let [script, library, said] =
        ["truth.py", "truth.so", "said"].map(|name| folder.join(name).display().to_string());
    let wanted = tools::rounds(1000) as usize;
    let (mut all, mut unknown, mut wrong) = (0, 0, Vec::new());
    for _ in 0..MOST_RUNS {
        let profile = profile(python, &["--rate", "1000"], &[&script, &library, &said, "0.5"]);
        let truth = Truth::of(&fs::read_to_string(&said).expect("what the interpreter said"));
        for (number, ours) in samples(&profile) {
            match &truth.said[&number] {
                None => unknown += 1,
                Some(said) if truth.is_of(&ours, said) => {}
                Some((said, _)) => wrong.push((ours, said.clone())),
            }
            all += 1;
        }
        // Where the machine does other work a run has few samples, and what the interpreter cannot say comes in bursts.
        if all >= wanted && unknown * 20 <= all {
            break;
        }
    }
    println!("{}: {} of {all} differ, {unknown} not known", python.display(), wrong.len());
    assert!(all >= wanted, "{python:?}: {all} samples");
    assert!(unknown * 20 <= all, "{python:?}: {unknown} of {all} are not known");
    let is_good = wrong.len() * 200 <= all - unknown;
    assert!(is_good, "{python:?}: {} of {all} differ: {wrong:#?}", wrong.len());
}

#[test]
fn stacks_are_those_that_the_interpreter_says() {
    let place = tempfile::tempdir().expect("a folder");
    let path = |name: &str| place.path().join(name);
    fs::write(path("truth.py"), include_str!("truth.py")).expect("a script");
    fs::write(path("truth.c"), include_str!("truth.c")).expect("a source");
    let Some(gcc) = tools::find("gcc") else { return };
    let mut compile = Command::new(gcc);
    compile.args(["-O1", "-Wall", "-Werror", "-fPIC", "-shared", "-o"]).arg(path("truth.so"));
    text_of(compile.arg(path("truth.c")));
    for python in interpreters() {
        let has_ctypes =
            Command::new(&python).args(["-c", "import ctypes, json, asyncio"]).status();
        if has_ctypes.is_ok_and(|status| status.success()) {
            check(&python, place.path());
        } else {
            tools::skip_anywhere(format!("{} has no ctypes", python.display()));
        }
    }
}
