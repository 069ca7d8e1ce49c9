//! Symbols from a list instead of the executable.

use super::code_and_lists::reads_lists;
use super::damage::damage;
use super::data::{Data, Histogram};
use super::elf::Elf;
use super::gnu;
use super::random::Random;
use super::run::Case;

const TEXT: u64 = 0x40_0000;
const SIZE: u64 = 16;
const FUNCTIONS: u64 = 12;

fn at(number: u64) -> u64 {
    TEXT + number * SIZE
}

/// A program with one symbol of its own.
fn case(random: &mut Random) -> Case {
    let mut exe = Elf::new(TEXT, (FUNCTIONS + 1) * SIZE);
    exe.function("own", TEXT);
    let mut call =
        || (at(random.below(FUNCTIONS)) + 4, at(random.below(FUNCTIONS)), random.below(9));
    let data = Data {
        arcs: (0..20).map(|_| call()).collect(),
        histograms: vec![Histogram::new(TEXT, at(FUNCTIONS), vec![1; FUNCTIONS as usize * 2])],
    };
    Case::new(&exe.bytes(), &data.bytes(exe.encoding))
}

#[test]
fn symbols_of_a_list_give_the_reports_of_gnu_gprof() {
    if !gnu::is_here("symbols_of_a_list_give_the_reports_of_gnu_gprof") {
        return;
    }
    for seed in gnu::seeds(60) {
        let mut random = Random::new(seed);
        let case = case(&mut random);
        let line = |random: &mut Random| {
            let (number, address) = (random.below(100), at(random.below(FUNCTIONS)));
            match random.below(12) {
                0 => format!("{address:x} t _f{number}"),
                1 => format!("0x{address:X}\tT  f{number} [module]"),
                2 => format!("{address:x} {} v{number}", random.pick(&["W", "D", "b", "U"])),
                3 => format!("{address:x} T{} f{number}", random.pick(&["", "x", "\t"])),
                4 => "         U puts".to_owned(),
                5 => random.pick(&["", " ", "no symbol", "400010 T"]).to_owned(),
                6 => format!("{address:x} T {}", "x".repeat(1000 + random.below(1100) as usize)),
                7 => format!("{address:x}zz t f{number}\r"),
                _ => format!("{address:016x} T f{number}"),
            }
        };
        let mut list: String = (0..random.below(30)).map(|_| line(&mut random) + "\n").collect();
        // GNU gprof gives the very last symbol no time, so that one is out of reach of all samples.
        list += &format!("{:x} T last", at(FUNCTIONS) + 0x1000);
        let list = case.file("list", list.as_bytes()).display().to_string();
        for options in ["", "-a -D -z", "-p -i", "-r"] {
            let words = case.words(&format!("-b -S {list} {options}"));
            gnu::assert_same(&format!("seed {seed}"), &words);
        }
    }
}

#[test]
fn lists_without_functions_are_refused_in_the_words_of_gnu_gprof() {
    let case = case(&mut Random::new(1));
    for list in ["", "\n", "400000 D variable\n", "400000 T\n"] {
        let path = case.file("list", list.as_bytes()).display().to_string();
        let outcome = case.gprof(&format!("-S {path}"));
        let expected = ("", format!("gprof: file `{path}' has no symbols\n"), 1);
        assert_eq!((outcome.stdout.as_str(), outcome.stderr, outcome.status), expected);
        if gnu::is_here("lists_without_functions_are_refused_in_the_words_of_gnu_gprof") {
            gnu::assert_same(list, &case.words(&format!("-S {path}")));
        }
    }
    let missing = case.path("missing").display().to_string();
    let outcome = case.gprof(&format!("-S {missing}"));
    assert_eq!(outcome.stderr, format!("gprof: could not open {missing}.\n"));
    assert_eq!(outcome.status, 1);
}

#[test]
fn a_listed_symbol_without_address_is_left_out() {
    let case = case(&mut Random::new(2));
    let good = "400000 T f\n400080 t g\n";
    let report = |list: &str| {
        let path = case.file("list", list.as_bytes()).display().to_string();
        let outcome = case.gprof(&format!("-b -z -S {path}"));
        assert_eq!((outcome.stderr.as_str(), outcome.status), ("", 0));
        outcome.stdout
    };
    assert_eq!(report(&format!("nowhere T h\n{good}- t i\n")), report(good));
}

#[test]
fn damaged_lists_are_read_without_panic() {
    const LISTS: [&[u8]; 2] = [
        b"0000000000401000 T main\n0x401010\tt _f1 [module]\n401020 W weak\n         U puts\n",
        b"a.o:00000000 T f0\na.o:00000010 t f1\nNo symbols in b.o\n\nc.o:x:y  f3\n",
    ];
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(4);
    for _ in 0..5000 {
        let mut list = random.pick(&LISTS).to_vec();
        damage(&mut random, &mut list);
        reads_lists(folder.path(), &list);
    }
}
