//! The `gmon` command under test, GNU gprof beside it, and what they print.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::Mutex,
};

use tempfile::NamedTempFile;

use super::{
    built,
    common_ground::common_ground,
    lasting_folder,
    targets::{HOST, Target},
    tools,
};

/// The command that cargo has built for this test.
pub fn gmon() -> Command {
    quiet(built("gmon"))
}

/// Variables of those who run the tests that would change what compilers, programs and gmon do.
const UNWANTED: [&str; 9] = [
    "GMON_OUT_PREFIX",
    "GMON_OPTIONS",
    "GPROF_PATH",
    "LD_PRELOAD",
    "CC",
    "CXX",
    "CFLAGS",
    "MAKEFLAGS",
    "CARGO_INCREMENTAL",
];

/// `program`, started without anything in the environment that could change what it does or says.
pub fn quiet(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env("LC_ALL", "C");
    for variable in UNWANTED {
        command.env_remove(variable);
    }
    command
}

/// What `gmon config` says a program for a machine must be linked with.
pub fn libraries(target: &'static Target) -> Vec<String> {
    static LIBRARIES: Mutex<BTreeMap<&str, Vec<String>>> = Mutex::new(BTreeMap::new());
    let mut libraries = LIBRARIES.lock().expect("no panic meanwhile");
    let ask = || config(target, "--libs").split_whitespace().map(str::to_owned).collect();
    libraries.entry(target.triple).or_insert_with(ask).clone()
}

/// The static library.
pub fn static_library() -> PathBuf {
    static_library_for(HOST)
}

/// The static library for programs of a machine.
pub fn static_library_for(target: &Target) -> PathBuf {
    config(target, "--static-lib").trim_end().into()
}

/// The library for programs that are not to be linked again.
pub fn shared_library() -> PathBuf {
    shared_library_for(HOST)
}

/// The library to preload into programs for a machine.
pub fn shared_library_for(target: &Target) -> PathBuf {
    config(target, "--shared-lib").trim_end().into()
}

fn config(target: &Target, flag: &str) -> String {
    let mut command = gmon();
    command.args(["config", flag]);
    if !target.triple.is_empty() {
        command.args(["--target", target.triple]);
    }
    text_of(&mut command)
}

/// Runs a command that must succeed and has nothing to say on its standard error stream, and gives what it
/// prints.
///
/// # Panics
///
/// If it does not.
pub fn text_of(command: &mut Command) -> String {
    let output = output_of(command);
    let said = said(&output);
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
    assert!(said.is_empty(), "{command:?} says on stderr:\n{said}");
    String::from_utf8(output.stdout).unwrap_or_else(|_| panic!("{command:?}: not UTF-8"))
}

/// What a program has said on its standard error stream.
#[must_use]
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs a command to its end.
///
/// # Panics
///
/// If it cannot be started.
#[must_use = "a program that failed leaves nothing to look at"]
pub fn output_of(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// `go`, in its environment.
pub fn go() -> Command {
    let mut go = quiet("go");
    go.envs(go_environment());
    go
}

/// Variables that give `go` a cache for all tests: newer ones compile their library and pprof when these are first used.
pub fn go_environment() -> [(&'static str, PathBuf); 2] {
    [("GOCACHE", lasting_folder().join("go-cache")), ("GOTELEMETRY", "off".into())]
}

/// `gmon gprof -b EXECUTABLE DATA`.
pub fn gmon_gprof(executable: &Path, data: &Path) -> String {
    text_of(gmon().args(["gprof", "-b"]).arg(executable).arg(data))
}

/// `gprof -b EXECUTABLE DATA`, by GNU gprof for the machine, and by ours for the same executable; `None`
/// if that is not installed.
///
/// They get an executable in which both find [the same functions](common_ground).
pub fn both_gprofs(target: &Target, executable: &Path, data: &Path) -> Option<(String, String)> {
    let gprof = tools::find(target.gprof)?;
    let copy = NamedTempFile::new().expect("a temporary file");
    let file = fs::read(executable).expect("an executable");
    fs::write(&copy, common_ground(&file).expect("symbols")).expect("a writable file");
    let gnu = text_of(quiet(gprof).arg("-b").arg(copy.path()).arg(data));
    Some((gnu, gmon_gprof(copy.path(), data)))
}

/// `gprof -b EXECUTABLE DATA`, by GNU gprof for the machine; `None` if that is not installed.
pub fn gnu_gprof(target: &Target, executable: &Path, data: &Path) -> Option<String> {
    both_gprofs(target, executable, data).map(|(gnu, _)| gnu)
}

/// `gprof -b -l -A -x EXECUTABLE DATA`, by GNU gprof; `None` if that is not installed.
pub fn gnu_line_gprof(executable: &Path, data: &Path) -> Option<String> {
    let gprof = tools::find("gprof")?;
    Some(text_of(quiet(gprof).args(["-b", "-l", "-A", "-x"]).arg(executable).arg(data)))
}

/// The first line in which two texts differ, if they do.
pub fn first_difference(left: &str, right: &str) -> Option<String> {
    if left == right {
        return None;
    }
    let (mut left, mut right) = (left.split('\n'), right.split('\n'));
    for number in 1.. {
        let pair = (left.next(), right.next());
        if pair.0 != pair.1 {
            return Some(format!("line {number}:\n  {:?}\n  {:?}", pair.0, pair.1));
        }
    }
    None
}
