//! Orders for the linker: the same as GNU gprof's where it does not lose its way, and where it does.

use std::collections::BTreeSet;

use super::data::{Data, Histogram};
use super::elf::Elf;
use super::gnu;
use super::random::Random;
use super::run::Case;

const TEXT: u64 = 0x40_0000;
const SIZE: u64 = 16;

fn at(number: u64) -> u64 {
    TEXT + number * SIZE
}

/// Functions `f0` and so on, with calls, and one more behind them that nobody calls.
fn case(functions: u64, calls: &[(u64, u64, u64)]) -> Case {
    let mut exe = Elf::new(TEXT, (functions + 1) * SIZE);
    for number in 0..=functions {
        exe.function(&format!("f{number}"), at(number));
    }
    let data = Data {
        histograms: vec![Histogram::new(TEXT, at(functions), vec![1; functions as usize])],
        arcs: calls.iter().map(|&(from, to, count)| (at(from) + 4, at(to), count)).collect(),
    };
    Case::new(&exe.bytes(), &data.bytes(exe.encoding))
}

fn random_calls(random: &mut Random, functions: u64) -> Vec<(u64, u64, u64)> {
    let call = |random: &mut Random| {
        let most = random.pick(&[2, 10, 1000, 100_000]);
        (random.below(functions), random.below(functions), random.below(most))
    };
    (0..random.below(4 * functions)).map(|_| call(random)).collect()
}

/// What is printed, when nothing is wrong.
fn lines(case: &Case, options: &str) -> Vec<String> {
    let outcome = case.gprof(options);
    assert_eq!((outcome.stderr.as_str(), outcome.status), ("", 0));
    outcome.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn functions_without_hubs_are_ordered_as_gnu_gprof_orders_them() {
    if !gnu::is_here("functions_without_hubs_are_ordered_as_gnu_gprof_orders_them") {
        return;
    }
    for seed in gnu::seeds(60) {
        let mut random = Random::new(seed);
        // From 80 functions on that are called there can be hubs.
        let functions = 1 + random.below(79);
        let case = case(functions, &random_calls(&mut random, functions));
        for options in ["-b -r", "-b -r -q -z", "-b -i -p -r"] {
            gnu::assert_same(&format!("seed {seed}"), &case.words(options));
        }
    }
}

#[test]
fn long_chains_are_ordered_as_gnu_gprof_orders_them() {
    if !gnu::is_here("long_chains_are_ordered_as_gnu_gprof_orders_them") {
        return;
    }
    for seed in gnu::seeds(10) {
        let mut random = Random::new(seed);
        let functions = 100 + random.below(600);
        // One function has exactly as many callers as are too few for a hub, all others have less.
        let busiest = (1..=5).map(|number| (number, 0, 1_000_000));
        let mut calls: Vec<_> = busiest.collect();
        for to in 1..functions {
            for _ in 0..random.below(4) {
                calls.push((random.below(functions), to, 1 + random.below(200)));
            }
        }
        calls.push((6, 7, 600_000));
        gnu::assert_same(&format!("seed {seed}"), &case(functions, &calls).words("-b -r"));
    }
}

#[test]
fn hubs_come_first_and_every_function_just_once() {
    const FUNCTIONS: u64 = 400;
    // Two hubs that everybody calls, one of them the other, and two that call each other.
    let mut calls = vec![(1, 0, 5), (0, 1, 3), (2, 3, 7)];
    for from in 4..FUNCTIONS {
        calls.extend((0..4).map(|hub| (from, hub, 100)));
        calls.push((from - 1, from, 1));
    }
    // The last function is never called, but calls.
    calls.push((FUNCTIONS, 3, 100));
    let lines = lines(&case(FUNCTIONS, &calls), "-b -r");
    assert_eq!(lines[..2], ["f2", "f0"]);
    assert_eq!(lines.last().unwrap(), &format!("f{FUNCTIONS}"));
    assert_eq!(lines.iter().collect::<BTreeSet<_>>().len(), FUNCTIONS as usize + 1);
    assert_eq!(lines.len(), FUNCTIONS as usize + 1);
}

#[test]
fn every_hub_is_one_and_those_with_few_callers_are_not() {
    const FUNCTIONS: u64 = 240;
    // Room for three hubs, of which one has too few callers, although not exactly five.
    let mut calls: Vec<_> =
        (10..FUNCTIONS).flat_map(|from| [(from, 8, 50), (from, 9, 60)]).collect();
    calls.extend((10..14).map(|from| (from, 7, 10_000)));
    calls.extend((0..FUNCTIONS).map(|to| (FUNCTIONS - 1 - to, to, 1)));
    let lines = lines(&case(FUNCTIONS, &calls), "-b -r");
    assert_eq!(lines[..2], ["f9", "f8"]);
    // It is in a chain with one that calls it.
    let place = lines.iter().position(|name| name == "f7").unwrap();
    let neighbours = [&lines[place - 1], &lines[place + 1]];
    assert!(neighbours.iter().any(|name| ["f10", "f11", "f12", "f13"].contains(&name.as_str())));
}

#[test]
fn what_selects_arcs_is_not_ordered() {
    let case = case(3, &[(0, 1, 1), (1, 2, 2)]);
    let all = lines(&case, "-b -r");
    assert_eq!(lines(&case, "-b -r -k f2/f1"), all);
    let without = lines(&case, "-b -r -k f1/f2");
    assert_eq!((without.len(), without.iter().collect::<BTreeSet<_>>().len()), (4, 4));
    // Nor are their object files.
    let map: String = (0..4).map(|number| format!("{number}.o:0 T f{number}\n")).collect();
    let map = case.file("map", map.as_bytes()).display().to_string();
    let files = lines(&case, &format!("-b -R {map}"));
    assert_eq!(lines(&case, &format!("-b -R {map} -k f2/f1")), files);
    assert_eq!(lines(&case, &format!("-b -R {map} -k /")), files);
    if gnu::is_here("what_selects_arcs_is_not_ordered") {
        gnu::assert_same("-k", &case.words(&format!("-b -R {map} -k f2/f1")));
        let gnu = gnu::gnu_gprof(&case.words(&format!("-b -R {map} -k /")));
        assert!(gnu.stdout.lines().count() > files.len(), "{gnu:?}");
    }
}

#[test]
fn object_files_are_ordered_as_gnu_gprof_orders_them() {
    if !gnu::is_here("object_files_are_ordered_as_gnu_gprof_orders_them") {
        return;
    }
    for seed in gnu::seeds(40) {
        let mut random = Random::new(seed);
        let functions = 1 + random.below(150);
        let case = case(functions, &random_calls(&mut random, functions));
        // GNU gprof is only sure of files with one function.
        let line = |random: &mut Random, number: u64| match random.below(16) {
            0 => format!("No symbols in {number}.o"),
            1 => format!("z{number}.o:00000000 D nowhere{number}"),
            2 => format!("twice{number}.o:00000000 T f{}", number / 2),
            3 => String::new(),
            4 | 5 => format!(" d/{number}.o: f{number} "),
            _ => format!("{number}.o:{number:08x} T f{number}"),
        };
        let mut map = "first.o:00000000 T f0".to_owned();
        // Every file once, in any order.
        let mut numbers: Vec<_> = (1..functions).map(|number| (random.number(), number)).collect();
        numbers.sort_unstable();
        for (_, number) in numbers {
            map = map + "\n" + &line(&mut random, number);
        }
        case.file("map", map.as_bytes());
        for options in ["-p", "", "-q -z", "-a"] {
            let map = case.path("map").display().to_string();
            gnu::assert_same(
                &format!("seed {seed}"),
                &case.words(&format!("-b -R {map} {options}")),
            );
        }
    }
}

#[test]
fn an_object_file_of_several_functions_is_one() {
    let calls = [(0, 3, 5), (4, 0, 7), (5, 3, 2), (9, 6, 1)];
    let case = case(9, &calls);
    let entry = |number: u64, name: &str| format!("{}.o:00000000 T {name}\n", number / 3);
    // In the order of the addresses, after a symbol that is none of the program's functions.
    let of_file = |file: u64| {
        let functions =
            (0..3).map(move |number| entry(file * 3, &format!("f{}", file * 3 + number)));
        [entry(file * 3, &format!("variable{file}"))].into_iter().chain(functions)
    };
    let map: String = [2, 0, 1].into_iter().flat_map(of_file).collect();
    let map = case.file("map", map.as_bytes()).display().to_string();
    assert_eq!(lines(&case, &format!("-b -R {map}")), ["0.o", "1.o", "2.o"]);
    // What is in no file keeps its name; the time of a file is that of its functions.
    let flat = lines(&case, &format!("-b -p -R {map}"));
    let names: Vec<_> =
        flat.iter().filter_map(|line| Some((line.split_whitespace().nth(2)?, line))).collect();
    for file in ["0.o", "1.o", "2.o"] {
        let line = names.iter().find(|(_, line)| line.ends_with(file)).unwrap();
        assert_eq!(line.0, "0.03", "{flat:?}");
    }
}

#[test]
fn a_list_of_object_files_that_is_none_is_refused() {
    let case = case(2, &[(0, 1, 1)]);
    let map = case.file("map", b"a.o:f0\n").display().to_string();
    let dir = case.folder().display().to_string();
    let missing = case.path("missing").display().to_string();
    for (path, message) in [
        (&map, format!("unable to parse mapping file {map}.")),
        (&dir, format!("could not open {dir}.")),
        (&missing, format!("could not open {missing}.")),
    ] {
        let outcome = case.gprof(&format!("-R {path}"));
        let expected = ("", format!("gprof: {message}\n"), 1);
        assert_eq!((outcome.stdout.as_str(), outcome.stderr, outcome.status), expected);
    }
}

#[test]
fn an_empty_list_of_object_files_has_nothing_to_order() {
    let case = case(2, &[(0, 1, 1)]);
    let map = case.file("map", b"").display().to_string();
    assert_eq!(lines(&case, &format!("-b -R {map}")), [""; 0]);
    assert_eq!(lines(&case, &format!("-b -p -R {map}")), lines(&case, "-b -p"));
}
