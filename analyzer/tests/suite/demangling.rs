//! Names come out as GNU `libiberty` prints them.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use gmon_analyzer::symbols::Demangling;

use super::gnu;
use super::random::Random;

/// Linker names and, after a tab, what `c++filt --no-verbose` of binutils 2.40 made of them.
const DEMANGLED: &str = include_str!("../golden/demangled.txt");

fn readable(name: &str) -> String {
    String::from_utf8(Demangling::Auto.demangle(name.as_bytes()).into_owned()).unwrap()
}

#[test]
fn names_of_all_kinds_are_printed_as_libiberty_does() {
    for line in DEMANGLED.lines() {
        let (name, expected) = line.split_once('\t').unwrap();
        assert_eq!(readable(name), expected, "{name}");
    }
}

#[test]
fn what_is_around_a_mangled_name_is_kept() {
    for (name, expected) in [
        ("._Z1fv", ".f()"),
        ("$_Z1fv", "$f()"),
        ("_Z1fv@VERS_1", "f()@VERS_1"),
        ("_Z1fv@@VERS_1", "f()@@VERS_1"),
        ("plain", "plain"),
        ("_Zzz", "_Zzz"),
        ("", ""),
    ] {
        assert_eq!(readable(name), expected);
    }
}

/// The standard library's own names, which use most of what C++ offers.
#[test]
fn names_of_the_standard_library_are_printed_as_libiberty_does() {
    let test = "names_of_the_standard_library_are_printed_as_libiberty_does";
    if !["g++", "nm", "c++filt"].into_iter().all(|tool| gnu::has(test, tool)) {
        return;
    }
    let library = output(Command::new("g++").arg("-print-file-name=libstdc++.a"));
    let listing = output(Command::new("nm").arg("--format=just-symbols").arg(library.trim()));
    let names: BTreeSet<&str> = listing.lines().filter(|name| name.starts_with("_Z")).collect();
    assert!(names.len() > 1000, "{} names in {library}", names.len());
    let text = names.iter().flat_map(|name| [name, "\n"]).collect::<String>();
    let mut filter = Command::new("c++filt")
        .arg("--no-verbose")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = filter.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let expected = String::from_utf8(filter.wait_with_output().unwrap().stdout).unwrap();
    writer.join().unwrap();
    for (name, expected) in names.iter().zip(expected.lines()) {
        assert_eq!(readable(name), expected, "{name}");
    }
}

fn output(command: &mut Command) -> String {
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

/// Damaged names are names like any other: no panic, no endless work.
#[test]
fn damaged_names_do_no_harm() {
    let names: Vec<&[u8]> =
        DEMANGLED.lines().map(|line| line.split('\t').next().unwrap().as_bytes()).collect();
    let mut random = Random::new(7);
    for _ in 0..50_000 {
        let mut name = random.pick(&names).to_vec();
        for _ in 0..=random.below(3) {
            let place = random.below(name.len() as u64) as usize;
            let other = random.pick(&names);
            let from = random.below(other.len() as u64) as usize;
            match random.below(4) {
                0 => name[place] = random.pick(b"ENISTZLJXDpP_0123AKRMFvi"),
                1 => name.truncate(place.max(3)),
                2 => drop(name.splice(place..place, other[from..].iter().copied())),
                _ => name.insert(place, random.pick(b"ENISTZLJXDpP_0123AKRMFvi")),
            }
        }
        let readable = Demangling::Auto.demangle(&name);
        assert!(!readable.is_empty() || name.is_empty());
    }
}

#[test]
fn names_that_would_never_end_are_left_as_they_are() {
    let deep = format!("_Z1f{}i", "P".repeat(100_000));
    assert_eq!(readable(&deep), deep);
    // Each part mentions the one before twice: the whole would have 2^60 parts.
    let parts: String = (0..60).map(|n| format!("S_IS{0}_S{0}_E", base_36(n))).collect();
    let wide = format!("_Z1f1AIiiE{parts}");
    assert_eq!(readable(&wide), wide);
}

fn base_36(number: u32) -> String {
    let digit = |digit| char::from_digit(digit, 36).unwrap().to_ascii_uppercase();
    if number < 36 { digit(number).to_string() } else { format!("1{}", digit(number - 36)) }
}
