//! Call counts as valgrind's callgrind has measured them, by running every instruction of a
//! program itself: independent of any hook. Names are the linker's.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
};

use super::{
    command::{output_of, quiet},
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

/// Calls from a program of a function of a library.
#[derive(Debug)]
pub struct LibraryCall {
    /// The library's path.
    pub object: String,
    /// The linker's name, perhaps with a version.
    pub function: String,
    pub count: u64,
    /// Whether the call comes by a part of the procedure linkage table that callgrind takes for a function.
    pub is_by_table: bool,
}

/// Like [`calls`], of calls from the program into libraries; the program runs in `folder` and gets `variables`.
///
/// # Panics
///
/// If the program fails.
pub fn library_calls(
    program: &Path,
    arguments: &[&str],
    folder: &Path,
    variables: &[(&str, &str)],
) -> Option<Vec<LibraryCall>> {
    let text = run_with(program, arguments, folder, variables)?;
    let program = program.canonicalize().expect("a path");
    let is_program = |object: &str| Path::new(object) == program;
    let mut calls = Vec::new();
    each_call(&text, |_, object, function, called_object, count| {
        let is_by_table = object == "???";
        if (is_by_table || is_program(object))
            && !is_program(called_object)
            && called_object != "???"
        {
            let (object, function) = (called_object.to_owned(), function.to_owned());
            calls.push(LibraryCall { object, function, count, is_by_table });
        }
    });
    Some(calls)
}

/// What callgrind writes.
fn run(program: &Path, arguments: &[&str], folder: &Path) -> Option<String> {
    run_with(program, arguments, folder, &[("GMON_OPTIONS", "off")])
}

fn run_with(
    program: &Path,
    arguments: &[&str],
    folder: &Path,
    variables: &[(&str, &str)],
) -> Option<String> {
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
    let output = output_of(command.current_dir(folder).envs(variables.iter().copied()));
    assert!(output.status.success(), "{}: {output:?}", program.display());
    Some(std::fs::read_to_string(file).expect("callgrind's data file"))
}

/// Sums the calls of functions whose object `is_wanted`: others are calls of shared libraries.
fn parse(text: &str, is_wanted: impl Fn(&str) -> bool) -> BTreeMap<String, u64> {
    let mut calls = BTreeMap::new();
    each_call(text, |caller, _, callee, object, count| {
        // The way back from a function's cold part is a jump, not a call.
        if is_wanted(object) && caller.strip_suffix(".cold") != Some(callee) {
            *calls.entry(callee.to_owned()).or_default() += count;
        }
    });
    calls
}

/// Calls `visit` for each `calls=N …` line with the caller, its object, the callee, its object, and N. They are on
/// the `fn=(id) name`, `ob=`, `cfn=` and `cob=` lines before it; without the last, the callee is in the caller's
/// object. A name is given once and is the number in parentheses from then on.
fn each_call(text: &str, mut visit: impl FnMut(&str, &str, &str, &str, u64)) {
    let (mut names, mut objects) = (HashMap::new(), HashMap::new());
    let (mut caller, mut callee) = (String::new(), String::new());
    let (mut object, mut called_object) = (String::new(), None);
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
            let called_object = called_object.take();
            let count = numbers.split(' ').next().and_then(|number| number.parse().ok());
            let of = called_object.as_ref().unwrap_or(&object);
            visit(&caller, &object, &callee, of, count.unwrap_or(0));
        }
    }
}

/// `(12) name'2` introduces number 12 as `name`, at recursion level 2; `(12)` refers to it.
fn name<'a>(text: &'a str, names: &mut HashMap<&'a str, &'a str>) -> String {
    let (number, name) = text.split_once(' ').unwrap_or((text, ""));
    if !name.is_empty() {
        names.insert(number, name.split('\'').next().unwrap_or(name));
    }
    names.get(number).copied().unwrap_or_default().to_owned()
}
