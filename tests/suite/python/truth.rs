//! Stacks against those that the interpreter itself says: in the same thread, at the same moment.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use support::command::text_of;
use support::tools;

use super::{interpreters, profile};

/// Name, file and line of a function that is executed; no line where that is not known.
type Frame = (String, String, u64);

/// The outermost first, recursion once.
type Stack = Vec<Frame>;

/// What the interpreter said.
#[derive(Default)]
struct Truth {
    /// Stacks, and those of which only the innermost part was said.
    whole: BTreeMap<Stack, u64>,
    parts: BTreeMap<Stack, u64>,
    /// Where functions begin.
    first_lines: BTreeSet<Frame>,
    /// Times that it failed.
    failed: u64,
}

impl Truth {
    fn of(text: &str) -> Self {
        let mut truth = Self::default();
        let frame = |line: &str| {
            let (path, rest) = line.split_once('"')?.1.split_once("\", line ")?;
            let (line, name) = rest.split_once(" in ")?;
            Some((name.to_owned(), path.to_owned(), line.parse().unwrap_or(0)))
        };
        for block in text.split("\n\n") {
            let (first, frames): (Vec<_>, Vec<_>) =
                block.lines().partition(|line| line.starts_with("first"));
            truth.first_lines.extend(first.into_iter().filter_map(frame));
            let mut stack: Stack = frames.into_iter().filter_map(frame).collect();
            // 3.14's ends at a frame of the interpreter's own, which it names before.
            let is_cut = block.ends_with("<invalid frame>");
            if is_cut {
                stack.pop();
            }
            stack.reverse();
            stack.dedup();
            if block.ends_with("failed") || is_cut && stack.is_empty() {
                truth.failed += 1;
                continue;
            }
            let stacks = if is_cut { &mut truth.parts } else { &mut truth.whole };
            *stacks.entry(stack).or_default() += 1;
        }
        truth
    }

    /// True if the innermost function has only been entered: faulthandler shows such, `sys._current_frames()` does not.
    fn is_entered(&self, stack: &[Frame]) -> bool {
        stack.last().is_some_and(|frame| frame.2 == 0 || self.first_lines.contains(frame))
    }

    /// Takes what was said out of the samples.
    fn take_from(&self, samples: &mut BTreeMap<Stack, u64>) {
        let take = |wanted: &mut u64, said: &mut u64| {
            let both = (*wanted).min(*said);
            (*wanted, *said) = (*wanted - both, *said - both);
        };
        let [mut whole, mut parts] = [&self.whole, &self.parts].map(BTreeMap::clone);
        for may_be_entered in [false, true] {
            let end = |stack: &Stack| stack.len() - usize::from(may_be_entered);
            let fits = |stack: &Stack| !may_be_entered || self.is_entered(stack);
            for (stack, said) in whole.iter_mut().filter(|(stack, _)| fits(stack)) {
                if let Some(wanted) = samples.get_mut(&stack[..end(stack)]) {
                    take(wanted, said);
                }
            }
            for (stack, said) in parts.iter_mut().filter(|(stack, _)| fits(stack)) {
                let part = &stack[..end(stack)];
                let ours = samples.iter_mut().filter(|(ours, _)| ours.ends_with(part));
                ours.for_each(|(_, wanted)| take(wanted, said));
            }
        }
        samples.retain(|_, wanted| *wanted != 0);
    }
}

/// Stacks of functions of Python that `measured` calls, each with its looks.
fn samples(profile: &Value) -> BTreeMap<Stack, u64> {
    let frame = |number: &Value| {
        let frame = &profile["frames"][number.as_u64()? as usize];
        let function = &profile["functions"][frame["function"].as_u64()? as usize];
        let module = &profile["modules"][function["module"].as_u64()? as usize];
        let (name, _) = function["name"].as_str()?.rsplit_once(" (")?;
        let name = name.rsplit('.').next()?.to_owned();
        let file = profile["files"][function["file"].as_u64()? as usize].as_str()?.to_owned();
        (module["path"] == "[python]").then(|| (name, file, frame["line"].as_u64().unwrap_or(0)))
    };
    let mut samples = BTreeMap::new();
    for stack in profile["stacks"].as_array().expect("a list") {
        let frames = stack["frames"].as_array().expect("a list");
        let mut path: Stack = frames.iter().filter_map(frame).collect();
        path.dedup();
        if path.iter().any(|(name, ..)| name == "measured") {
            *samples.entry(path).or_default() += stack["signals"].as_u64().expect("a number");
        }
    }
    samples
}

fn check(python: &Path, folder: &Path) {
    let [script, library, said] =
        ["truth.py", "truth.so", "said"].map(|name| folder.join(name).display().to_string());
    let profile = profile(python, &["--rate", "1000"], &[&script, &library, &said, "0.5"]);
    let truth = Truth::of(&fs::read_to_string(said).expect("what the interpreter said"));
    let mut samples = samples(&profile);
    let all: u64 = samples.values().sum();
    truth.take_from(&mut samples);
    let (wrong, failed): (u64, _) = (samples.values().sum(), truth.failed);
    println!("{}: {wrong} of {all} differ, {failed} not known", python.display());
    assert!(all >= 100, "{python:?}: {all} samples");
    assert!(failed * 20 <= all, "{python:?}: {failed} of {all} are not known");
    let is_good = wrong.saturating_sub(failed) * 200 <= all;
    assert!(is_good, "{python:?}: {wrong} of {all} differ: {samples:#?}");
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
