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

/// Asserts that a report is refused, and why: in a line with both the bad file's name and `reason`. The other file of the
/// two is a good one.
fn assert_refused(place: &Workplace, executable: &str, data: &str, reason: &str) {
    let bad = if executable == PROGRAM { data } else { executable };
    let output = gprof(place, &["-b", executable, data]);
    let stderr = said(&output);
    assert_eq!(output.status.code(), Some(1), "{bad}: {stderr}");
    assert!(output.stdout.is_empty(), "{bad}: a report in spite of {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{bad}: {stderr}");
    assert!(stderr.contains(bad) && stderr.contains(reason), "{bad}, {reason}: {stderr}");
    assert!(!stderr.contains("panicked"), "{bad}: {stderr}");
}

#[test]
fn files_that_cannot_be_read_or_are_something_else() {
    let place = with_program();
    fs::create_dir(place.path("folder")).expect("a writable folder");
    let [mut version, mut tag] = [place.bytes(DATA), place.bytes(DATA)];
    version[4] = 77;
    tag.push(9);
    for (name, bytes) in [
        ("empty", &b""[..]),
        ("text", b"#!/bin/sh\nexec true\n"),
        ("picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("short", b"gmo"),
        ("version", &version),
        ("tag", &tag),
    ] {
        place.write(name, bytes);
    }
    fs::copy(place.path(PROGRAM), place.path("stripped")).expect("a writable folder");
    text_of(quiet("strip").arg(place.path("stripped")));
    for (executable, reason) in [
        ("missing", "No such file or directory"),
        ("folder", ""),
        ("empty", "not in executable format"),
        ("text", "not in executable format"),
        ("picture", "not in executable format"),
        (DATA, "not in executable format"),
        ("stripped", "has no symbols"),
    ] {
        assert_refused(&place, executable, DATA, reason);
    }
    for (data, reason) in [
        ("missing", "No such file or directory"),
        ("folder", ""),
        ("empty", ""),
        ("text", ""),
        ("short", ""),
        (PROGRAM, ""),
        ("version", "version"),
        ("tag", ""),
    ] {
        assert_refused(&place, PROGRAM, data, reason);
    }
}

#[test]
fn files_that_are_cut_short() {
    let place = with_program();
    let (program, data) = (place.bytes(PROGRAM), place.bytes(DATA));
    for length in [4, 15, 63, 64, 200, program.len() / 2, program.len() - 1] {
        place.write("cut", &program[..length]);
        assert_refused(&place, "cut", DATA, "");
    }
    // In the header, in the histogram's header, in its bins, in the last arc.
    for length in [10, 19, 25, 60, 100, data.len() - 1] {
        place.write("cut", &data[..length]);
        assert_refused(&place, PROGRAM, "cut", "");
    }
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
