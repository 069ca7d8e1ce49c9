//! Names of C++ and Rust come out as GNU `libiberty` prints them.

use std::process::Command;

use gmon_demangle::Demangling;
use support::tools;

use crate::gnu;

/// Linker names and, after a tab, what `c++filt --no-verbose` of binutils 2.40 made of them.
pub(crate) const DEMANGLED: &str = include_str!("../golden/demangled.txt");

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
    if !["g++", "nm", "c++filt"].into_iter().all(|tool| tools::find(tool).is_some()) {
        return;
    }
    let library = Command::new("g++").arg("-print-file-name=libstdc++.a").output().unwrap();
    let library = String::from_utf8(library.stdout).unwrap();
    let names = gnu::names(library.trim()).unwrap();
    assert!(names.len() > 1000, "{} names in {library}", names.len());
    for (name, expected) in names.iter().zip(gnu::demangled(&names).unwrap()) {
        assert_eq!(readable(name), expected, "{name}");
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
