//! Files that are not what `gmon gprof` wants: one line on stderr that names the file, nothing on
//! stdout, exit status 1. And data of another program, which is read with one warning.

use std::{ffi::OsStr, fs, process::Output};

use support::{
    command::{output_of, quiet, said, text_of},
    compilers::GCC,
    root, tools,
    workplace::Workplace,
};

const PROGRAM: &str = "program";
const DATA: &str = "gmon.out";

/// A folder for bad files, with a program and a good data file.
fn with_program() -> Workplace {
    let place = Workplace::new();
    build(&place, PROGRAM, "cycle.c", &[]);
    text_of(&mut place.command(place.path(PROGRAM)));
    place
}

/// Builds an example at fixed addresses.
fn build(place: &Workplace, name: &str, example: &str, flags: &[&str]) {
    let source = root().join("examples/c").join(example);
    let mut compile = place.gmon("cc");
    compile.args([GCC.c, "-O2", "-g", "-no-pie", "-fno-pie"]).args(flags).arg(source);
    text_of(compile.args(["-o", name]));
}

/// `gmon gprof` in this folder.
fn gprof<S: AsRef<OsStr>>(place: &Workplace, arguments: &[S]) -> Output {
    output_of(place.gmon("gprof").args(arguments))
}

/// Asserts that a report of `executable` and `data` is refused, and why: in a line with both
/// the bad file's name and `reason`.
fn assert_refused(place: &Workplace, executable: &str, data: &str, bad: &str, reason: &str) {
    let output = gprof(place, &["-b", executable, data]);
    let stderr = said(&output);
    assert_eq!(output.status.code(), Some(1), "{bad}: {stderr}");
    assert!(output.stdout.is_empty(), "{bad}: a report in spite of {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{bad}: {stderr}");
    assert!(stderr.contains(bad) && stderr.contains(reason), "{bad}, {reason}: {stderr}");
    assert!(!stderr.contains("panicked"), "{bad}: {stderr}");
}

fn assert_executable_refused(place: &Workplace, bad: &str, reason: &str) {
    assert_refused(place, bad, DATA, bad, reason);
}

fn assert_data_refused(place: &Workplace, bad: &str, reason: &str) {
    assert_refused(place, PROGRAM, bad, bad, reason);
}

#[test]
fn executables_that_cannot_be_read() {
    let place = with_program();
    assert_executable_refused(&place, "missing", "No such file or directory");
    fs::create_dir(place.path("folder")).expect("a writable folder");
    assert_executable_refused(&place, "folder", "");
}

#[test]
fn executables_that_are_none() {
    let place = with_program();
    place.write("empty", b"");
    place.write("text", b"#!/bin/sh\nexec true\n");
    place.write("picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    for bad in ["empty", "text", "picture", DATA] {
        assert_executable_refused(&place, bad, "not in executable format");
    }
}

#[test]
fn executables_that_are_cut_short() {
    let place = with_program();
    let bytes = place.bytes(PROGRAM);
    for length in [4, 15, 63, 64, 200, bytes.len() / 2, bytes.len() - 1] {
        place.write("cut", &bytes[..length]);
        assert_executable_refused(&place, "cut", "");
    }
}

#[test]
fn executables_without_symbols() {
    let place = with_program();
    fs::copy(place.path(PROGRAM), place.path("stripped")).expect("a writable folder");
    text_of(quiet("strip").arg(place.path("stripped")));
    assert_executable_refused(&place, "stripped", "has no symbols");
}

#[test]
fn data_that_cannot_be_read() {
    let place = with_program();
    assert_data_refused(&place, "missing.out", "No such file or directory");
    fs::create_dir(place.path("folder")).expect("a writable folder");
    assert_data_refused(&place, "folder", "");
}

#[test]
fn data_that_is_none() {
    let place = with_program();
    place.write("empty.out", b"");
    place.write("text.out", b"These are the voyages of the starship Enterprise.\n");
    place.write("short.out", b"gmo");
    for bad in ["empty.out", "text.out", "short.out", PROGRAM] {
        assert_data_refused(&place, bad, "");
    }
}

#[test]
fn data_that_is_cut_short() {
    let place = with_program();
    let bytes = place.bytes(DATA);
    // In the header, in the histogram's header, in its bins, in the last arc.
    for length in [10, 19, 25, 60, 100, bytes.len() - 1] {
        place.write("cut.out", &bytes[..length]);
        assert_data_refused(&place, "cut.out", "");
    }
}

#[test]
fn data_with_a_bad_version_or_tag() {
    let place = with_program();
    let mut bytes = place.bytes(DATA);
    bytes[4] = 77;
    place.write("version.out", &bytes);
    assert_data_refused(&place, "version.out", "version");
    bytes[4] = 1;
    bytes.push(9);
    place.write("tag.out", &bytes);
    assert_data_refused(&place, "tag.out", "");
}

/// Every byte of a small data file, changed in turn: a report or one line, never a panic.
#[test]
fn data_with_one_wrong_byte() {
    let place = with_program();
    let good = place.bytes(DATA);
    let records = (0..good.len()).step_by(good.len() / 64 + 1);
    for position in (0..80).chain(records) {
        let mut bytes = good.clone();
        bytes[position] ^= 0xff;
        place.write("wrong.out", &bytes);
        let output = gprof(&place, &["-b", PROGRAM, "wrong.out"]);
        let stderr = said(&output);
        match output.status.code() {
            Some(0) => assert!(!output.stdout.is_empty(), "byte {position}"),
            // With fewer bins than there are, the rest of them can look like another histogram, for which GNU gprof has
            // three lines.
            Some(1) => assert!(
                stderr.lines().count() == 1 && stderr.contains("wrong.out")
                    || stderr.starts_with("gprof: dimension unit changed"),
                "byte {position}: {stderr}"
            ),
            _ => panic!("byte {position}: {}: {stderr}", output.status),
        }
    }
}

#[test]
fn data_of_another_program_is_read_with_one_warning() {
    let place = with_program();
    build(&place, "other", "primes.c", &["-Wl,-Ttext-segment=0x10000000"]);

    let output = gprof(&place, &["-b", "other", DATA]);
    let stderr = said(&output);
    assert!(output.status.success(), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains(DATA) && stderr.contains("other"), "{stderr}");
    if let Some(gprof) = tools::find("gprof") {
        let gnu = text_of(place.command(gprof).args(["-b", "other", DATA]));
        assert_eq!(String::from_utf8_lossy(&output.stdout), gnu);
    }
}
