//! Call counts as valgrind's callgrind has measured them, by running every instruction of a
//! program itself: independent of any hook. Names are the linker's.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
};

use super::{
    command::{quiet, text_of},
    tools,
};

/// Runs `program` under callgrind and gives each function's calls, or `None` without valgrind.
///
/// # Panics
///
/// If the program fails.
pub fn calls(program: &Path, arguments: &[&str]) -> Option<BTreeMap<String, u64>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = run(program, arguments, folder.path())?;
    let program = program.canonicalize().expect("a path");
    Some(parse(&text, |object| Path::new(object) == program))
}

/// Like [`calls`], with what is called in libraries, too. The program runs in `folder`.
///
/// # Panics
///
/// If the program fails.
pub fn calls_everywhere(
    program: &Path,
    arguments: &[&str],
    folder: &Path,
) -> Option<BTreeMap<String, u64>> {
    run(program, arguments, folder).map(|text| parse(&text, |_| true))
}

/// What callgrind writes.
fn run(program: &Path, arguments: &[&str], folder: &Path) -> Option<String> {
    let valgrind = tools::find("valgrind")?;
    let place = tempfile::tempdir().expect("a temporary folder");
    let file = place.path().join("calls");
    let mut out_file = std::ffi::OsString::from("--callgrind-out-file=");
    out_file.push(&file);
    let mut command = quiet(valgrind);
    command
        .args(["--quiet", "--tool=callgrind", "--demangle=no"])
        .arg(out_file)
        .arg(program)
        .args(arguments);
    // It fails where threads that it knows get signals of a timer.
    text_of(command.current_dir(folder).env("GMON_OPTIONS", "off"));
    Some(std::fs::read_to_string(file).expect("callgrind's data file"))
}

/// Sums `calls=N …` lines by the `cfn=(id) name` line before each, if the `cob=` line before it, or else the
/// last `ob=` line, names what `is_wanted`: others are calls of shared libraries. A name is given once and is
/// the number in parentheses from then on.
fn parse(text: &str, is_wanted: impl Fn(&str) -> bool) -> BTreeMap<String, u64> {
    let (mut names, mut objects) = (HashMap::new(), HashMap::new());
    let (mut caller, mut callee) = (String::new(), String::new());
    let (mut object, mut called_object) = (String::new(), None);
    let mut calls = BTreeMap::new();
    for line in text.lines() {
        if let Some(name_of_object) = line.strip_prefix("ob=") {
            object = name(name_of_object, &mut objects);
        } else if let Some(name_of_object) = line.strip_prefix("cob=") {
            called_object = Some(name(name_of_object, &mut objects));
        } else if let Some(function) = line.strip_prefix("fn=") {
            caller = name(function, &mut names);
        } else if let Some(function) = line.strip_prefix("cfn=") {
            callee = name(function, &mut names);
        } else if let Some(numbers) = line.strip_prefix("calls=") {
            let is_of_program = is_wanted(called_object.as_ref().unwrap_or(&object));
            called_object = None;
            // The way back from a function's cold part is a jump, not a call.
            if is_of_program && caller.strip_suffix(".cold") != Some(&callee) {
                let count = numbers.split(' ').next().and_then(|number| number.parse().ok());
                *calls.entry(callee.clone()).or_default() += count.unwrap_or(0u64);
            }
        }
    }
    calls
}

/// `(12) name'2` introduces number 12 as `name`, at recursion level 2; `(12)` refers to it.
fn name<'a>(text: &'a str, names: &mut HashMap<&'a str, &'a str>) -> String {
    let (number, name) = text.split_once(' ').unwrap_or((text, ""));
    if !name.is_empty() {
        names.insert(number, name.split('\'').next().unwrap_or(name));
    }
    names.get(number).copied().unwrap_or_default().to_owned()
}
