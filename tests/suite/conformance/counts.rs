//! Counts of a program of real size: those of SQLite must be those of callgrind.

use std::collections::BTreeSet;

use super::programs;
use support::{
    callgrind,
    command::{gmon_gprof, gnu_gprof, quiet, text_of},
    report::Report,
    targets::HOST,
};

#[test]
fn counts_are_those_of_callgrind() {
    let (program, rows) = (programs::sqlite(), "20000");
    let Some(expected) = callgrind::calls(program, &[rows]) else { return };
    let folder = programs::run(program, &[rows], "20000|");
    let data = folder.path().join("gmon.out");
    let ambiguous = functions_before_unnamed_ones();
    let readers = [
        ("gmon gprof", Some(gmon_gprof(program, &data))),
        ("GNU gprof", gnu_gprof(HOST, program, &data)),
    ];
    for (reader, text) in readers.into_iter().filter_map(|(reader, text)| Some((reader, text?))) {
        let report = Report::parse(&text);
        let mut compared: Vec<u64> = Vec::new();
        for entry in report.entries.iter().filter(|entry| !ambiguous.contains(&entry.name)) {
            let calls = entry.calls + entry.self_calls;
            let callgrind = expected.get(&entry.name).copied().unwrap_or(0);
            assert_eq!(calls, callgrind, "calls of {} according to {reader}", entry.name);
            compared.push(calls);
        }
        compared.sort_unstable();
        let tenth = compared.iter().rev().nth(9).copied().unwrap_or(0);
        assert!(compared.len() > 300 && tenth > 20_000, "{reader}: too little was compared");
    }
}

/// Functions that stand before a local one whose name has a dot. GNU gprof leaves most of those
/// out (`f.part.0`, `f.cold`) and charges their calls to the function before.
fn functions_before_unnamed_ones() -> BTreeSet<String> {
    let symbols = text_of(quiet("nm").arg("-n").arg(programs::sqlite()));
    let mut functions = BTreeSet::new();
    let mut before = "";
    for symbol in symbols.lines() {
        let mut fields = symbol.split_whitespace().skip(1);
        let (Some(kind), Some(name)) = (fields.next(), fields.next()) else { continue };
        match kind {
            "t" if name.contains('.') => {
                functions.extend([before.to_owned(), name.to_owned()]);
            }
            "t" | "T" => before = name,
            _ => {}
        }
    }
    functions
}
