//! Compares the calls of every function of other people's programs with callgrind's counts, and our reports with
//! GNU gprof's: `upstream_calls GMON FOLDER`. `tests/upstream/calls` builds the programs into the folder and starts this.

mod commands;
mod reports;

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    path::Path,
    process::{Command, ExitCode},
};

use support::{
    callgrind,
    command::{quiet, text_of},
    report::Report,
};

/// What valgrind adds to the environment of a program, besides the folder in `PWD`: shells look at all variables.
const OF_VALGRIND: [(&str, &str); 4] = [
    ("GLIBCPP_FORCE_NEW", "1"),
    ("GLIBCXX_FORCE_NEW", "1"),
    ("LD_LIBRARY_PATH", "/usr/lib/debug"),
    ("LD_PRELOAD", ""),
];

/// Calls of each function in the report; local functions of one name are added up.
fn counted(gmon: &Path, program: &Path, data: &Path) -> BTreeMap<String, u64> {
    let mut report = Command::new(gmon);
    report.args(["gprof", "-b", "--no-demangle"]).arg(program).arg(data);
    let mut calls = BTreeMap::new();
    for entry in Report::parse(&text_of(&mut report)).entries {
        *calls.entry(entry.name).or_default() += entry.calls + entry.self_calls;
    }
    calls
}

/// For each function the names that it has: those at its address.
fn names(program: &Path) -> BTreeMap<String, Vec<String>> {
    let listing = text_of(quiet("readelf").args(["--syms", "--wide"]).arg(program));
    let mut at: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for line in listing.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if let [_, address, _, "FUNC", _, _, section, name] = fields[..] {
            if section != "UND" {
                at.entry(address).or_default().push(name.to_owned());
            }
        }
    }
    at.values_mut().for_each(|names| {
        names.sort();
        names.dedup();
    });
    at.values().flat_map(|names| names.iter().map(|name| (name.clone(), names.clone()))).collect()
}

/// The functions whose calls callgrind counts otherwise when the program runs with these arguments, and of which GNU
/// gprof says something else for no known reason.
fn compare(gmon: &Path, name: &str, program: &Path, arguments: &[&str]) -> Vec<String> {
    let expected = callgrind::calls(program, arguments).expect("valgrind");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().join("gmon.out");
    let mut run = quiet(program);
    run.args(arguments).env("GMON_OPTIONS", format!("out={}", data.display()));
    text_of(run.envs(OF_VALGRIND).env("PWD", folder.path()).current_dir(&folder));
    let (found, names) = (counted(gmon, program, &data), names(program));
    let called: BTreeSet<&String> =
        found.iter().filter(|(_, calls)| **calls > 0).map(|(name, _)| name).collect();
    let differences = called.iter().filter_map(|function| {
        // callgrind may take another name of the same code, such as that of the complete constructor.
        let all = names.get(*function).map_or(&[][..], Vec::as_slice);
        let mut theirs: u64 = all.iter().filter_map(|name| expected.get(name)).sum();
        if all.is_empty() {
            theirs = expected.get(*function).copied().unwrap_or(0);
        }
        let ours = found[*function];
        (ours != theirs).then(|| format!("{name}: {function}: {ours}, {theirs} by callgrind"))
    });
    let mut differences: Vec<_> = differences.collect();
    let calls: u64 = found.values().sum();
    println!("{name}: {} functions, {calls} calls, {} differ", called.len(), differences.len());
    assert!(called.len() > 20, "{name}: too little was compared");
    differences.extend(reports::compare(gmon, name, program, folder.path()));
    differences
}

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [gmon, folder] = arguments.iter().map(Path::new).collect::<Vec<_>>()[..] else {
        eprintln!("usage: upstream_calls GMON FOLDER");
        return ExitCode::from(2);
    };
    let mut differences = Vec::new();
    for (_, words) in commands::commands(folder) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        differences.extend(compare(gmon, words[0], Path::new(words[1]), &words[2..]));
    }
    differences.iter().for_each(|difference| eprintln!("{difference}"));
    ExitCode::from(u8::from(!differences.is_empty()))
}
