//! Compares our report on a program with GNU gprof's: of how many functions the two differ, and by which row of the
//! table of differences in `docs/gprof.md`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

use support::{
    command::{quiet, text_of},
    common_ground::{Change, changed},
    report::{Relative, Report},
    tools,
};

/// What a report says of each function, by its name: time, calls, callers and callees.
fn functions(text: &str) -> BTreeMap<String, Vec<String>> {
    let report = Report::parse(text);
    let mut functions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut add = |name: &str, what: String| functions.entry(name.into()).or_default().push(what);
    for line in &report.flat {
        add(&line.name, format!("{} s, {:?} calls", line.seconds, line.calls));
    }
    let relatives = |list: &[Relative]| -> BTreeSet<String> {
        list.iter().map(|relative| format!("{} {}", relative.count, relative.name)).collect()
    };
    for entry in &report.entries {
        let (callers, callees) = (relatives(&entry.callers), relatives(&entry.callees));
        add(&entry.name, format!("{}+{} {callers:?} {callees:?}", entry.calls, entry.self_calls));
    }
    functions.values_mut().for_each(|facts| facts.sort());
    functions
}

/// How many functions there are in both reports, and those that differ, after a change to the executable.
fn differing(
    gmon: &Path,
    executable: &[u8],
    change: Change,
    folder: &Path,
) -> (usize, BTreeSet<String>) {
    let copy = folder.join("program");
    fs::write(&copy, changed(executable, change).expect("symbols")).expect("a file");
    let gnu = tools::find("gprof").expect("GNU gprof");
    let [theirs, ours] = [&mut quiet(gnu), Command::new(gmon).arg("gprof")].map(|gprof| {
        gprof.args(["-b", "--no-demangle", "program", "gmon.out"]).env("LC_ALL", "C");
        functions(&text_of(gprof.current_dir(folder)))
    });
    let all: BTreeSet<&String> = theirs.keys().chain(ours.keys()).collect();
    let differ = all.iter().filter(|name| theirs.get(**name) != ours.get(**name));
    (all.len(), differ.map(|name| (*name).clone()).collect())
}

/// Prints how many functions differ for which reason; gives those that differ for none that is known. The profile is
/// `gmon.out` in the folder.
pub(super) fn compare(gmon: &Path, name: &str, program: &Path, folder: &Path) -> Vec<String> {
    let executable = fs::read(program).expect("a program");
    let differing = |change| differing(gmon, &executable, change, folder);
    let (all, differ) = differing(Change::default());
    // What remains if a reason is taken away.
    let (_, numbers) = differing(Change { sizes: true, ..Change::default() });
    let (_, sizes) = differing(Change { followers: true, ..Change::default() });
    let (_, ends) = differing(Change { followers: true, dots: true, ..Change::default() });
    let (_, others) =
        differing(Change { sizes: true, followers: true, behind: true, ..Change::default() });
    println!(
        "{name}: GNU gprof reports {} of {all} functions differently: {} by names with a word after a dot, {} by \
         names with a number, {} by code behind the end of a function, {} by anything else",
        differ.len(),
        sizes.difference(&ends).count(),
        numbers.len(),
        ends.len(),
        others.len(),
    );
    others.iter().map(|function| format!("{name}: {function} differs from GNU gprof")).collect()
}
