//! Fixed programs with fixed data, whose reports lie in `tests/golden`.
//!
//! `BLESS=1` rewrites the files; review the difference before committing it.

use std::fs;
use std::path::Path;

use super::data::{Data, Histogram};
use super::elf::{self, Elf};
use super::gnu;
use super::run::Case;

/// Five functions: `main` calls `a`, `a` calls `b`, `b` and `c` call each other, `b` calls `last`.
fn five_functions() -> (Elf, Data) {
    const START: u64 = 0x40_1000;
    const SIZE: u64 = 64;
    let mut exe = Elf::new(START, 6 * SIZE);
    for (name, number) in ["main", "a", "b", "c", "last", "end"].into_iter().zip(0..) {
        exe.function(name, START + number * SIZE);
    }
    let mut bins = vec![0; 160];
    for (bin, ticks) in [(0, 5), (32, 10), (64, 20), (96, 40), (129, 25)] {
        bins[bin] = ticks;
    }
    let at = |number: u64| START + number * SIZE + 4;
    let calls = [(0, 1, 3), (1, 2, 7), (2, 3, 2), (3, 2, 1), (2, 4, 4)];
    let data = Data {
        histograms: vec![Histogram::new(START, START + 5 * SIZE, bins)],
        arcs: calls.map(|(from, to, count)| (at(from), at(to) - 4, count)).to_vec(),
    };
    (exe, data)
}

/// Compares a report with the file `name`, or writes that file.
fn check(name: &str, report: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, report).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    assert!(golden == report, "{name} should be:\n{golden}\nbut is:\n{report}");
}

#[test]
fn five_functions_print_as_they_always_did() {
    let (exe, data) = five_functions();
    for (encoding, machine) in
        [(elf::LITTLE_64, 62), (elf::BIG_64, 43), (elf::BIG_32, 2), (elf::LITTLE_32, 3)]
    {
        let exe = Elf { encoding, machine, ..exe.clone() };
        let case = Case::new(&exe.bytes(), &data.bytes(encoding));
        for (options, name) in [
            ("-b", "five_functions.brief.txt"),
            ("", "five_functions.txt"),
            ("-b -p", "five_functions.flat_profile.brief.txt"),
            ("-q", "five_functions.call_graph.txt"),
            ("-T", "five_functions.traditional.txt"),
            ("-d -b -Pb -Qc -q/a -Pnone -Qx.c:7 -Ny.c", "five_functions.debug.txt"),
        ] {
            let outcome = case.gprof(options);
            assert_eq!((outcome.stderr.as_str(), outcome.status), ("", 0));
            check(name, &outcome.stdout);
        }
    }
}

#[test]
fn explanations_stand_where_gnu_gprof_puts_its_own() {
    if !gnu::is_here("explanations_stand_where_gnu_gprof_puts_its_own") {
        return;
    }
    let (exe, data) = five_functions();
    let case = Case::new(&exe.bytes(), &data.bytes(exe.encoding));
    // Lines of the reports themselves, around which the explanations stand.
    let landmarks = |report: &str| {
        let starts = ["Flat", " 40.00", "\t\t\t", "index %", "[6]", "\x0c", "Index by", "   [4]"];
        report
            .lines()
            .filter(|line| starts.iter().any(|start| line.starts_with(start)))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let ours = landmarks(&case.gprof("").stdout);
    // Each of GNU gprof's explanations ends with a licence on a page of its own.
    let mut theirs = landmarks(&gnu::gnu_gprof(&case.words("")).stdout);
    let pages = theirs.iter().filter(|line| line.as_str() == "\x0c").count();
    assert_eq!(pages, 4);
    theirs.dedup_by(|next, line| next == "\x0c" && line == "\x0c");
    assert_eq!(ours, theirs);
}
