//! Which local names stand for functions.

use super::data::{Data, Histogram};
use super::elf::{self, Elf};
use super::gnu;
use super::run::Case;
use support::separate_names::separate_names;

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
    // As it is, GNU gprof leaves out those before names that are no functions'.
    let theirs = gnu::gnu_gprof(&ours.words("-b -p")).stdout;
    let misses = |name: &&str| !theirs.contains(&format!(" {name}\n"));
    let all = ["a.1", "b.2", "c.constprop.0", "i.", "zzz"];
    assert_eq!(all.into_iter().filter(misses).collect::<Vec<_>>(), ["b.2", "c.constprop.0", "i."]);
}

/// This is what lets the other tests compare with GNU gprof where there are such names.
#[test]
fn gnu_gprof_judges_separate_names_right() {
    if !gnu::is_here("gnu_gprof_judges_separate_names_right") {
        return;
    }
    let names =
        ["a.1", "g.cold", "b.2", "c.constprop.0", "l.12a", "j.", "k$x", ".Lx", "n.constprop."];
    for (encoding, machine) in
        [(elf::LITTLE_64, 62), (elf::BIG_64, 43), (elf::LITTLE_32, 3), (elf::BIG_32, 2)]
    {
        let exe = Elf { encoding, machine, ..program(&names) };
        let plain = case(&exe);
        let separate = separate_names(&exe.bytes()).expect("names with dots");
        plain.file("exe", &separate);
        gnu::assert_same("separate names", &plain.words("-b"));

        // Where there is nothing to misjudge, the copy has the reports of the original.
        let mut exe = Elf { encoding, machine, ..program(&["one", "two"]) };
        assert_eq!(separate_names(&exe.bytes()), None);
        exe.symbol("out.of.the.way", 0, elf::LOCAL, elf::OBJECT, elf::ABSOLUTE);
        let original = case(&exe);
        let theirs = gnu::gnu_gprof(&original.words("-b"));
        original.file("exe", &separate_names(&exe.bytes()).expect("a name with dots"));
        assert_eq!(gnu::gnu_gprof(&original.words("-b")), theirs);
    }
}
