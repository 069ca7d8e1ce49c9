//! Which symbols stand for functions, and where those end.

use gmon_analyzer::Measurement;

use super::data::{Data, Histogram};
use super::elf::{self, Elf};
use super::gnu;
use super::run::Case;
use support::common_ground::common_ground;

const TEXT: u64 = 0x40_1000;
const SIZE: u64 = 64;

fn case(exe: &Elf) -> Case {
    let end = TEXT + exe.text_size - SIZE;
    let ticks = vec![1; (end - TEXT) as usize / 2];
    let data = Data { histograms: vec![Histogram::new(TEXT, end, ticks)], ..Data::default() };
    Case::new(&exe.bytes(), &data.bytes(exe.encoding))
}

/// A program with these local functions, in this order in the string table.
fn program(names: &[&str]) -> Elf {
    let mut exe = Elf::new(TEXT, (names.len() as u64 + 2) * SIZE);
    exe.function("main", TEXT);
    let mut address = TEXT;
    for name in names {
        address += SIZE;
        exe.symbol(name, address, elf::LOCAL, elf::FUNC, elf::TEXT);
    }
    exe.function("last", address + SIZE);
    exe
}

fn flat_profile(case: &Case) -> Vec<String> {
    let rows = case.gprof("-b -p").stdout;
    let mut names: Vec<_> = rows
        .lines()
        .skip(5)
        .filter_map(|row| row.split(' ').next_back())
        .map(str::to_owned)
        .collect();
    names.sort();
    names
}

#[test]
fn a_local_name_is_judged_without_what_follows_it() {
    let exe = program(&["a.1", "zzz", "b.2", "g.cold", "c.constprop.0", "k$x", "i.", "f.part.3"]);
    let ours = case(&exe);
    assert_eq!(flat_profile(&ours), ["a.1", "b.2", "c.constprop.0", "i.", "main", "zzz"]);
    if !gnu::is_here("a_local_name_is_judged_without_what_follows_it") {
        return;
    }
    // As it is, GNU gprof leaves out those before names that are not functions'.
    let theirs = gnu::gnu_gprof(&ours.words("-b -p")).stdout;
    let misses = |name: &&str| !theirs.contains(&format!(" {name}\n"));
    let all = ["a.1", "b.2", "c.constprop.0", "i.", "zzz"];
    assert_eq!(all.into_iter().filter(misses).collect::<Vec<_>>(), ["b.2", "c.constprop.0", "i."]);
}

/// A split function and one whose symbol was removed, between others: name, address from the start of the
/// text, and size. The last one is only there for GNU gprof, which gives the last symbol no time.
const SPLIT: [(&str, u64, u64); 5] = [
    ("main", 0, 0x40),
    ("before", 0x40, 0x40),
    ("work.part.0", 0x80, 0x40),
    ("after", 0x100, 0x40),
    ("last", 0x140, 0x40),
];

/// Ten samples and some calls in each of main, before, work.part.0, the hidden function and after.
fn split_case() -> Case {
    let mut exe = Elf::new(TEXT, 0x180);
    for (name, offset, size) in SPLIT {
        let binding = if name.contains('.') { elf::LOCAL } else { elf::GLOBAL };
        exe.symbol(name, TEXT + offset, binding, elf::FUNC, elf::TEXT).sized(size);
    }
    let mut ticks = vec![0; 0x140 / 2];
    (0..5).for_each(|function| ticks[function * 0x20 + 4] = 10);
    let arc = |from: u64, to: u64, count| (TEXT + from, TEXT + to, count);
    let data = Data {
        histograms: vec![Histogram::new(TEXT, TEXT + 0x140, ticks)],
        // main calls before, before calls work.part.0 and the hidden function, and that calls after.
        arcs: vec![arc(8, 0x44, 1), arc(0x48, 0x84, 20), arc(0x50, 0xc4, 3), arc(0xd0, 0x104, 7)],
    };
    Case::new(&exe.bytes(), &data.bytes(exe.encoding))
}

/// Name, samples and calls of each line of the flat profile.
fn times_and_calls(flat: &str) -> Vec<(&str, f64, u64)> {
    let mut rows: Vec<_> = flat
        .lines()
        .skip(5)
        .map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let calls = if fields.len() > 4 { fields[3].parse().expect("calls") } else { 0 };
            (fields[fields.len() - 1], 100.0 * fields[2].parse::<f64>().expect("seconds"), calls)
        })
        .collect();
    rows.sort_by_key(|row| row.0);
    rows
}

#[test]
fn a_function_with_a_size_is_one_by_any_name() {
    let case = split_case();
    let flat = case.gprof("-b -p").stdout;
    let expected =
        [("after", 10.0, 7), ("before", 10.0, 1), ("main", 10.0, 0), ("work.part.0", 10.0, 20)];
    assert_eq!(times_and_calls(&flat), expected, "{flat}");
    // What `-a` leaves out belongs to the function before it, as it says; its calls are recursive then.
    let without_locals = case.gprof("-b -p -a").stdout;
    let expected = [("after", 10.0, 7), ("before", 30.0, 1), ("main", 10.0, 0)];
    assert_eq!(times_and_calls(&without_locals), expected, "{without_locals}");
    if gnu::is_here("a_function_with_a_size_is_one_by_any_name") {
        let theirs = gnu::gnu_gprof(&case.words("-b -p")).stdout;
        assert_eq!(times_and_calls(&theirs), expected, "{theirs}");
    }
}

#[test]
fn behind_the_end_of_a_function_nobody_is_charged() {
    let case = split_case();
    let graph = case.gprof("-b -q").stdout;
    // Whoever calls it there is not known, but it was called.
    assert!(graph.contains("0.10    0.00       7         after"), "{graph}");
    assert!(!graph.contains("7/7 "), "{graph}");
    let measurement = Measurement::open(case.path("exe"), &[case.path("gmon.out")]).unwrap();
    let names = measurement.names(Default::default());
    let costs = |id| {
        let costs = measurement.graph().function(id);
        (String::from_utf8_lossy(names.plain(id)).into_owned(), costs.time, costs.all_calls())
    };
    let rows: Vec<_> = measurement.program().symbols().ids().map(costs).collect();
    let row = |name: &str, time, calls| (name.to_owned(), time, calls);
    let expected = [
        row("main", 10.0, 0),
        row("before", 10.0, 1),
        row("work (part)", 10.0, 20),
        row("after", 10.0, 7),
        row("last", 0.0, 0),
        row("[unknown]", 10.0, 3),
    ];
    assert_eq!(rows, expected);
    if gnu::is_here("behind_the_end_of_a_function_nobody_is_charged") {
        let theirs = gnu::gnu_gprof(&case.words("-b -q")).stdout;
        assert!(theirs.contains("7/7 "), "{theirs}");
    }
}

#[test]
fn a_label_behind_the_end_of_a_function_is_one_itself() {
    let mut exe = Elf::new(TEXT, 4 * SIZE);
    exe.function("main", TEXT).sized(SIZE);
    exe.symbol("inner", TEXT + 8, elf::GLOBAL, elf::NOTYPE, elf::TEXT);
    exe.symbol("assembly", TEXT + SIZE, elf::GLOBAL, elf::NOTYPE, elf::TEXT);
    exe.function("last", TEXT + 2 * SIZE).sized(SIZE);
    let at = |offset| TEXT + offset;
    let arcs = vec![(at(4), at(SIZE + 4), 5), (at(SIZE + 8), at(12), 2)];
    let data = Data { arcs, ..Data::default() };
    let case = Case::new(&exe.bytes(), &data.bytes(exe.encoding));
    let calls = |text: &str| {
        let rows = text.lines().filter(|line| line.starts_with('['));
        let row = |line: &str| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            format!("{} {}", fields[fields.len() - 2], fields[4])
        };
        let mut rows: Vec<String> = rows.map(row).collect();
        rows.sort();
        rows
    };
    let ours = case.gprof("-b -q").stdout;
    assert!(ours.contains("5         assembly"), "{ours}");
    if gnu::is_here("a_label_behind_the_end_of_a_function_is_one_itself") {
        let theirs = gnu::gnu_gprof(&case.words("-b -q")).stdout;
        assert_ne!(calls(&theirs), calls(&ours));
        assert!(!theirs.contains("5         assembly"), "{theirs}");
    }
}

/// This is what lets the other tests compare with GNU gprof where there are such names.
#[test]
fn gnu_gprof_judges_names_right_on_common_ground() {
    if !gnu::is_here("gnu_gprof_judges_names_right_on_common_ground") {
        return;
    }
    let names =
        ["a.1", "g.cold", "b.2", "c.constprop.0", "l.12a", "j.", "k$x", ".Lx", "n.constprop."];
    for (encoding, machine) in
        [(elf::LITTLE_64, 62), (elf::BIG_64, 43), (elf::LITTLE_32, 3), (elf::BIG_32, 2)]
    {
        let exe = Elf { encoding, machine, ..program(&names) };
        let plain = case(&exe);
        let separate = common_ground(&exe.bytes()).expect("symbols");
        plain.file("exe", &separate);
        gnu::assert_same("common ground", &plain.words("-b"));

        // Where there is nothing to misjudge, the copy has the reports of the original.
        let mut exe = Elf { encoding, machine, ..program(&["one", "two"]) };
        exe.symbol("out.of.the.way", 0, elf::LOCAL, elf::OBJECT, elf::ABSOLUTE);
        let original = case(&exe);
        let theirs = gnu::gnu_gprof(&original.words("-b"));
        original.file("exe", &common_ground(&exe.bytes()).expect("symbols"));
        assert_eq!(gnu::gnu_gprof(&original.words("-b")), theirs);
    }
}

/// Two functions of one unit and a half, with padding behind each, in bins of two units.
#[test]
fn padding_behind_the_last_function_is_its_own() {
    let mut exe = Elf::new(TEXT, 32);
    exe.function("main", TEXT).sized(6);
    exe.function("last", TEXT + 16).sized(6);
    let bins = vec![0, 8, 0, 0, 0, 9, 0, 0];
    let data = Data { histograms: vec![Histogram::new(TEXT, TEXT + 32, bins)], ..Data::default() };
    let case = Case::new(&exe.bytes(), &data.bytes(exe.encoding));
    let rows = case.gprof("-b -p").stdout;
    let ticks = |name: &str| {
        let row = rows.lines().find(|row| row.ends_with(&format!(" {name}")));
        let cells: Vec<&str> = row.expect("a row").split_whitespace().collect();
        cells[2].to_owned()
    };
    assert_eq!([ticks("main"), ticks("last")], ["0.08", "0.09"], "{rows}");
}
