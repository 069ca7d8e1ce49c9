//! Files that are not what `gmon gprof` wants: one line on stderr that names the file, nothing on
//! stdout, exit status 1. And data of another program, which is read with one warning.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use support::{
    command::{gmon, output_of, quiet, text_of},
    compilers::GCC,
    tools,
};
use tempfile::TempDir;

/// A program with a good data file, in a folder for bad ones.
struct Place {
    folder: TempDir,
}

const PROGRAM: &str = "program";
const DATA: &str = "gmon.out";

impl Place {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        place.build(PROGRAM, "cycle.c");
        text_of(quiet(place.path(PROGRAM)).current_dir(&place.folder));
        place
    }

    fn build(&self, name: &str, example: &str) {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/c").join(example);
        let mut compile = gmon();
        compile.args(["cc", GCC.c, "-O2", "-g", "-no-pie", "-fno-pie"]).arg(source);
        text_of(compile.arg("-o").arg(self.path(name)));
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect("a readable file")
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("a writable folder");
    }

    /// `gmon gprof` in this folder.
    fn gprof<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Output {
        output_of(gmon().arg("gprof").args(arguments).current_dir(&self.folder))
    }

    /// Asserts that a report of `executable` and `data` is refused, and why: in a line with both
    /// the bad file's name and `reason`.
    fn assert_refused(&self, executable: &str, data: &str, bad: &str, reason: &str) {
        let output = self.gprof(&["-b", executable, data]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{bad}: {stderr}");
        assert!(output.stdout.is_empty(), "{bad}: a report in spite of {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{bad}: {stderr}");
        assert!(stderr.contains(bad) && stderr.contains(reason), "{bad}, {reason}: {stderr}");
        assert!(!stderr.contains("panicked"), "{bad}: {stderr}");
    }

    fn assert_executable_refused(&self, bad: &str, reason: &str) {
        self.assert_refused(bad, DATA, bad, reason);
    }

    fn assert_data_refused(&self, bad: &str, reason: &str) {
        self.assert_refused(PROGRAM, bad, bad, reason);
    }
}

#[test]
fn executables_that_cannot_be_read() {
    let place = Place::new();
    place.assert_executable_refused("missing", "No such file or directory");
    fs::create_dir(place.path("folder")).expect("a writable folder");
    place.assert_executable_refused("folder", "");
}

#[test]
fn executables_that_are_none() {
    let place = Place::new();
    place.write("empty", b"");
    place.write("text", b"#!/bin/sh\nexec true\n");
    place.write("picture", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    for bad in ["empty", "text", "picture", DATA] {
        place.assert_executable_refused(bad, "not in executable format");
    }
}

#[test]
fn executables_that_are_cut_short() {
    let place = Place::new();
    let bytes = place.bytes(PROGRAM);
    for length in [4, 15, 63, 64, 200, bytes.len() / 2, bytes.len() - 1] {
        place.write("cut", &bytes[..length]);
        place.assert_executable_refused("cut", "");
    }
}

#[test]
fn executables_without_symbols() {
    let place = Place::new();
    fs::copy(place.path(PROGRAM), place.path("stripped")).expect("a writable folder");
    text_of(quiet("strip").arg(place.path("stripped")));
    place.assert_executable_refused("stripped", "has no symbols");
}

#[test]
fn data_that_cannot_be_read() {
    let place = Place::new();
    place.assert_data_refused("missing.out", "No such file or directory");
    fs::create_dir(place.path("folder")).expect("a writable folder");
    place.assert_data_refused("folder", "");
}

#[test]
fn data_that_is_none() {
    let place = Place::new();
    place.write("empty.out", b"");
    place.write("text.out", b"These are the voyages of the starship Enterprise.\n");
    place.write("short.out", b"gmo");
    for bad in ["empty.out", "text.out", "short.out", PROGRAM] {
        place.assert_data_refused(bad, "");
    }
}

#[test]
fn data_that_is_cut_short() {
    let place = Place::new();
    let bytes = place.bytes(DATA);
    // In the header, in the histogram's header, in its bins, in the last arc.
    for length in [10, 19, 25, 60, 100, bytes.len() - 1] {
        place.write("cut.out", &bytes[..length]);
        place.assert_data_refused("cut.out", "");
    }
}

#[test]
fn data_with_a_bad_version_or_tag() {
    let place = Place::new();
    let mut bytes = place.bytes(DATA);
    bytes[4] = 77;
    place.write("version.out", &bytes);
    place.assert_data_refused("version.out", "version");
    bytes[4] = 1;
    bytes.push(9);
    place.write("tag.out", &bytes);
    place.assert_data_refused("tag.out", "");
}

/// Every byte of a small data file, changed in turn: a report or one line, never a panic.
#[test]
fn data_with_one_wrong_byte() {
    let place = Place::new();
    let good = place.bytes(DATA);
    let records = (0..good.len()).step_by(good.len() / 64 + 1);
    for position in (0..80).chain(records) {
        let mut bytes = good.clone();
        bytes[position] ^= 0xff;
        place.write("wrong.out", &bytes);
        let output = place.gprof(&["-b", PROGRAM, "wrong.out"]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => assert!(!output.stdout.is_empty(), "byte {position}"),
            Some(1) => assert!(
                stderr.lines().count() == 1 && stderr.contains("wrong.out"),
                "byte {position}: {stderr}"
            ),
            _ => panic!("byte {position}: {}: {stderr}", output.status),
        }
    }
}

#[test]
fn data_of_another_program_is_read_with_one_warning() {
    let place = Place::new();
    let low = "-Wl,-Ttext-segment=0x10000000";
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/c/primes.c");
    let mut compile = gmon();
    compile.args(["cc", GCC.c, "-O2", "-no-pie", "-fno-pie", low]).arg(source);
    text_of(compile.arg("-o").arg(place.path("other")));

    let output = place.gprof(&["-b", "other", DATA]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains(DATA) && stderr.contains("other"), "{stderr}");
    if let Some(gprof) = tools::find("gprof") {
        let gnu = text_of(quiet(gprof).args(["-b", "other", DATA]).current_dir(&place.folder));
        assert_eq!(String::from_utf8_lossy(&output.stdout), gnu);
    }
}
