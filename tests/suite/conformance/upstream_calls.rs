//! Calls of every function of other people's programs, compared with those of callgrind. The programs come from
//! `tests/upstream/calls`, which builds them and starts this test.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
};

use support::{
    callgrind,
    command::{gmon, quiet, text_of},
    report::Report,
};

/// Calls of each function in the report; local functions of one name are added up.
fn counted(program: &Path, data: &Path) -> BTreeMap<String, u64> {
    let text = text_of(gmon().args(["gprof", "-b", "--no-demangle"]).arg(program).arg(data));
    let mut calls = BTreeMap::new();
    for entry in Report::parse(&text).entries {
        *calls.entry(entry.name).or_default() += entry.calls + entry.self_calls;
    }
    calls
}

/// The functions whose calls callgrind counts otherwise when the program runs with these arguments.
fn check(name: &str, program: &Path, arguments: &[&str]) -> Vec<String> {
    let Some(expected) = callgrind::calls(program, arguments) else { return Vec::new() };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut run = quiet(program);
    run.args(arguments).env("GMON_OPTIONS", format!("out={}/gmon.out", folder.path().display()));
    text_of(run.current_dir(&folder));
    let found = counted(program, &folder.path().join("gmon.out"));
    let called: BTreeSet<&String> =
        found.iter().filter(|(_, calls)| **calls > 0).map(|(name, _)| name).collect();
    let differences = called.iter().filter_map(|function| {
        let (ours, theirs) = (found[*function], expected.get(*function).copied().unwrap_or(0));
        (ours != theirs).then(|| format!("{name}: {function}: {ours}, {theirs} by callgrind"))
    });
    let differences: Vec<_> = differences.collect();
    let calls: u64 = found.values().sum();
    println!("{name}: {} functions, {calls} calls, {} differ", called.len(), differences.len());
    assert!(called.len() > 20, "{name}: too little was compared");
    differences
}

#[test]
#[ignore = "wants the programs of tests/upstream/calls"]
fn calls_of_real_programs_are_those_of_callgrind() {
    let folder = env::var_os("UPSTREAM_CALLS").expect("the folder of tests/upstream/calls");
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let mut commands: Vec<_> =
        files.filter(|file| file.extension().is_some_and(|end| end == "command")).collect();
    commands.sort();
    assert!(!commands.is_empty(), "nothing was built");
    let mut differences = Vec::new();
    for file in commands {
        let text = fs::read_to_string(file).expect("a command");
        let words: Vec<&str> = text.trim_end_matches('\0').split('\0').collect();
        differences.extend(check(words[0], Path::new(words[1]), &words[2..]));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
