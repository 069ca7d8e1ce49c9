//! Tools that a desk may lack: without one, a test is skipped aloud; in CI it fails.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fmt::Display,
    fs,
    io::{Write, stderr},
    path::{Path, PathBuf},
    process::Stdio,
    sync::{Arc, Mutex, OnceLock},
    thread,
};

use super::{
    abilities::{SOURCES, trial},
    command::{output_of, quiet, said},
    lasting_folder,
};

/// Whether the tests run in CI, where nothing may be skipped for want of a tool.
pub fn in_ci() -> bool {
    env::var_os("CI").is_some()
}

/// Says that the running test, or a part of it, is skipped, and why.
///
/// # Panics
///
/// If the tests run in CI.
#[track_caller]
pub fn skip(reason: impl Display) {
    assert!(!in_ci(), "{reason}, and CI skips nothing");
    skip_anywhere(reason);
}

/// Like [`skip`], for what depends on who runs the tests, or on which machine, and not on what is installed.
pub fn skip_anywhere(reason: impl Display) {
    let thread = thread::current();
    let test = thread.name().filter(|name| name.contains("::")).unwrap_or("a test");
    say(format!("SKIPPED: {test}: {reason}\n"));
}

/// Says something once.
fn say(line: String) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    // `eprintln!` would say nothing where the test passes.
    if SAID.lock().expect("no panic meanwhile").insert(line.clone()) {
        stderr().write_all(line.as_bytes()).expect("a stream for errors");
    }
}

/// Whether the running test is one that a desk leaves to CI, for the time that it takes; says so.
pub fn is_left_to_ci(why: &str) -> bool {
    if !in_ci() {
        skip(format!("{why}; CI=1 runs it"));
    }
    !in_ci()
}

/// All of these in CI; on a desk the first `few`, which stand for the others, and it is said how many are left out.
pub fn representatives<'a, T>(all: &'a [T], few: usize, what: &str) -> &'a [T] {
    if in_ci() || all.len() <= few {
        return all;
    }
    skip(format!("{few} of {} {what} stand for the others; CI=1 takes all", all.len()));
    &all[..few]
}

/// Gives all of these in CI; on a desk one of them, by the name of the running test: so the tests of a desk have all of them
/// among themselves.
pub fn shared_out<'a, T>(all: &'a [T], what: &str) -> &'a [T] {
    if in_ci() || all.len() < 2 {
        return all;
    }
    let turn: usize =
        thread::current().name().map_or(0, |name| name.bytes().map(usize::from).sum());
    let own = turn % all.len();
    say(format!("SKIPPED: all {what} but one for each test, which takes turns; CI=1 takes all\n"));
    &all[own..=own]
}

/// All of these in CI; on a desk one of so many, from the `first` on, and it is said that others are left out.
pub fn some<'a, T>(
    all: &'a [T],
    (first, parts): (usize, usize),
    what: &str,
) -> impl Iterator<Item = &'a T> {
    let parts = if in_ci() { 1 } else { parts };
    if parts > 1 {
        say(format!("SKIPPED: {what} but one of {parts}; CI=1 takes all\n"));
    }
    all.iter().skip(first % parts).step_by(parts)
}

/// Rounds of what goes wrong rarely, if anything is wrong: all of them in CI, a fifth on a desk.
pub fn rounds(all: u32) -> u32 {
    if in_ci() {
        return all;
    }
    say("SKIPPED: four fifths of the rounds that look for what goes wrong rarely; CI=1 runs all\n"
        .into());
    all.div_ceil(5)
}

/// The path of a tool that has passed its trial (`abilities.rs`), which is made once; `clang -fopenmp` asks for a
/// clang that compiles, links and runs with this flag.
///
/// # Panics
///
/// If it has not and the tests run in CI.
#[track_caller]
pub fn find(ability: &str) -> Option<PathBuf> {
    type Known = Arc<OnceLock<Result<PathBuf, String>>>;
    static KNOWN: Mutex<BTreeMap<String, Known>> = Mutex::new(BTreeMap::new());
    let known =
        KNOWN.lock().expect("no panic meanwhile").entry(ability.to_owned()).or_default().clone();
    known.get_or_init(|| try_out(ability)).clone().map_err(skip).ok()
}

/// The paths of several tools, if all are there.
///
/// # Panics
///
/// If they are not and the tests run in CI.
#[track_caller]
pub fn find_all<const N: usize>(abilities: [&str; N]) -> Option<[PathBuf; N]> {
    let found = abilities.map(find);
    found.iter().all(Option::is_some).then(|| found.map(Option::unwrap_or_default))
}

/// The path of a tool, or why it cannot be used.
fn try_out(ability: &str) -> Result<PathBuf, String> {
    let (name, flags) = ability.split_once(' ').unwrap_or((ability, ""));
    let path = env::var_os("PATH").unwrap_or_default();
    let tool = env::split_paths(&path).map(|folder| folder.join(name)).find(|file| is_file(file));
    let tool = tool.ok_or_else(|| format!("{name} is not installed"))?;
    let place = tempfile::tempdir().expect("a temporary folder");
    for (source, text) in SOURCES {
        fs::write(place.path().join(source), text).expect("a file");
    }
    let mut shell = quiet("sh");
    shell.args(["-ec", trial(name)]).current_dir(&place).stdin(Stdio::null());
    shell.env("TOOL", &tool).env("NAME", name).env("FLAGS", flags).env("KEPT", lasting_folder());
    let output = output_of(&mut shell);
    if output.status.success() {
        return Ok(tool);
    }
    let said = said(&output);
    let reason = said.lines().find(|line| !line.is_empty());
    Err(format!("{ability} does not work: {}", reason.unwrap_or(&output.status.to_string())))
}

fn is_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file())
}
