//! Useless files about which we say more than GNU gprof does.

use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::os::unix::ffi::OsStrExt as _;
use std::process::Command;

use super::data::Data;
use super::elf::{self, Elf};
use super::gnu;
use super::run::{Case, gprof};

fn case() -> Case {
    let mut exe = Elf::new(0x40_1000, 128);
    exe.function("main", 0x40_1000).function("end", 0x40_1040);
    let data = Data { histograms: vec![], arcs: vec![(0x40_1008, 0x40_1040, 5)] };
    Case::new(&exe.bytes(), &data.bytes(elf::LITTLE_64))
}

/// Runs on two files, and demands these messages of ours and of GNU gprof.
fn check(test: &str, exe: &OsStr, data: &OsStr, ours: &str, theirs: &str) {
    let words: Vec<OsString> = ["-b".into(), exe.to_owned(), data.to_owned()].into();
    let outcome = gprof(&words);
    assert_eq!((outcome.stdout.as_str(), outcome.status), ("", 1));
    assert_eq!(outcome.stderr, format!("{ours}\n"));
    if gnu::is_here(test) {
        let gnu = gnu::gnu_gprof(&words);
        assert_eq!((gnu.stderr, gnu.status), (format!("{theirs}\n"), 1));
    }
}

#[test]
fn an_empty_name_is_named() {
    let case = case();
    let exe = case.path("exe").into_os_string();
    let (ours, theirs) = (": No such file or directory", "No such file or directory");
    check("an_empty_name_is_named", "".as_ref(), "".as_ref(), ours, theirs);
    check("an_empty_name_is_named", &exe, "".as_ref(), ours, theirs);
}

#[test]
fn a_folder_is_reported_as_one() {
    let case = case();
    let folder = case.folder();
    let name = folder.display();
    let (ours, theirs) = (format!("{name}: Is a directory"), format!("{name}: Success"));
    check("a_folder_is_reported_as_one", folder.as_ref(), "data".as_ref(), &ours, &theirs);
}

#[test]
fn a_damaged_executable_is_distinguished_from_other_files() {
    let case = case();
    let whole = fs::read(case.path("exe")).unwrap();
    let mut nameless = whole.clone();
    let place = in_header_of_data(&whole, 0);
    nameless[place..place + 4].fill(0x7f);
    for (exe, reason) in [
        (&whole[..20], "Invalid ELF header size or alignment"),
        (&whole[..100], "Invalid ELF section header offset/size/alignment"),
        (&nameless, "Invalid ELF section name offset"),
    ] {
        let exe = case.file("exe", exe);
        let name = exe.display();
        let ours = format!("gprof: {name}: damaged ELF file: {reason}");
        let theirs = format!("gprof: {name}: not in executable format");
        let test = "a_damaged_executable_is_distinguished_from_other_files";
        check(test, exe.as_ref(), "data".as_ref(), &ours, &theirs);
    }
}

/// Where a field of a section's header is; the third section of the tests' programs is `.data`.
fn in_header_of_data(exe: &[u8], field: usize) -> usize {
    let headers = u64::from_le_bytes(exe[0x28..0x30].try_into().unwrap()) as usize;
    headers + 2 * 64 + field
}

#[test]
fn damage_to_what_is_not_needed_does_not_matter() {
    let test = "damage_to_what_is_not_needed_does_not_matter";
    let case = case();
    let whole = fs::read(case.path("exe")).unwrap();
    let expected = case.gprof("-b");
    assert_eq!((expected.stderr.as_str(), expected.status), ("", 0));
    const OFFSET: usize = 24;
    const LINK: usize = 40;
    for (field, theirs) in [
        (OFFSET, "BFD: warning: EXE has a section extending past end of file\n"),
        (LINK, "gprof: EXE: not in executable format\n"),
    ] {
        let mut exe = whole.clone();
        let place = in_header_of_data(&exe, field);
        exe[place..place + 4].fill(0x7f);
        let name = case.file("exe", &exe).display().to_string();
        assert_eq!(case.gprof("-b"), expected, "{theirs}");
        if gnu::is_here(test) {
            assert_eq!(gnu::gnu_gprof(&case.words("-b")).stderr, theirs.replace("EXE", &name));
        }
    }
}

#[test]
fn unreadable_files_are_reported_with_the_reason() {
    let test = "unreadable_files_are_reported_with_the_reason";
    let (case, unreadable) = (case(), OsStr::new("/proc/self/mem"));
    let ours = "/proc/self/mem: Input/output error";
    let theirs = "gprof: /proc/self/mem: not in executable format";
    check(test, unreadable, "data".as_ref(), ours, theirs);
    let theirs = "/proc/self/mem: file too short to be a gmon file";
    check(test, case.path("exe").as_ref(), unreadable, ours, theirs);
}

#[test]
fn devices_are_not_read_without_end() {
    let case = case();
    let outcome = gprof(&["-b".into(), "/dev/zero".into()]);
    assert_eq!(outcome.stderr, "gprof: /dev/zero: not in executable format\n");
    let outcome = gprof(&["-b".into(), case.path("exe").into(), "/dev/zero".into()]);
    let message = "gprof: file '/dev/zero' does not appear to be in gmon.out format\n";
    assert_eq!((outcome.stderr.as_str(), outcome.status), (message, 1));
    let words = ["-b", "@/dev/null", "@/dev/zero"].map(OsString::from);
    let files = [case.path("exe"), case.path("gmon.out")].map(OsString::from);
    assert_eq!(gprof(&[&words[..], &files].concat()), case.gprof("-b"));
    for option in ["-S", "-R"] {
        let outcome = case.gprof(&format!("{option} /dev/zero"));
        let message = "/dev/zero: no text: it does not end\n";
        assert_eq!((outcome.stderr.as_str(), outcome.status), (message, 1), "{option}");
    }
}

#[test]
fn a_pipe_that_nobody_writes_to_is_refused() {
    let case = case();
    let pipe = case.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let message = format!("{}: a pipe that nobody writes to\n", pipe.display());
    let (exe, data) = (case.path("exe").into_os_string(), case.path("gmon.out").into_os_string());
    let pipe = pipe.into_os_string();
    for words in [
        vec![pipe.clone(), data.clone()],
        vec![exe.clone(), pipe.clone()],
        vec!["-S".into(), pipe.clone(), exe.clone(), data.clone()],
        vec!["-R".into(), pipe.clone(), exe.clone(), data.clone()],
    ] {
        let outcome = gprof(&words);
        assert_eq!((&outcome.stderr, outcome.status), (&message, 1), "{words:?}");
    }
    // What was written is read, also if the writer is gone. Somebody has to keep the pipe open.
    let held = OpenOptions::new().read(true).write(true).open(case.path("pipe")).unwrap();
    let keep = fs::File::open(case.path("pipe")).unwrap();
    fs::write(case.path("pipe"), fs::read(case.path("gmon.out")).unwrap()).unwrap();
    drop(held);
    assert_eq!(gprof(&["-b".into(), exe, pipe]), case.gprof("-b"));
    drop(keep);
}

#[test]
fn what_a_terminal_obeys_is_marked_in_messages() {
    let test = "what_a_terminal_obeys_is_marked_in_messages";
    let name = OsStr::new("/nowhere/\x1b]0;title\x07\u{9b}2J");
    let theirs = "/nowhere/\x1b]0;title\x07\u{9b}2J: No such file or directory";
    let ours = theirs.replace(['\x1b', '\x07', '\u{9b}'], "\u{fffd}");
    check(test, name, "data".as_ref(), &ours, theirs);
    for words in [["-O", "\x1b[2J"], ["--demangle=\x1b[2J", "x"], ["--\x1b[2J", "x"]] {
        let outcome = gprof(&words.map(OsString::from));
        assert!(outcome.stderr.contains("\u{fffd}[2J"), "{outcome:?}");
        assert!(!outcome.stderr.contains('\x1b'), "{outcome:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_marked_in_messages() {
    let test = "bytes_that_are_no_text_are_marked_in_messages";
    let name = OsStr::from_bytes(b"/nowhere/\xff");
    let message = "/nowhere/\u{fffd}: No such file or directory";
    // What GNU gprof prints is read in the same way here.
    check(test, name, "data".as_ref(), message, message);
    let outcome = gprof(&[OsStr::from_bytes(b"-\xff").to_owned()]);
    assert!(outcome.stderr.starts_with("gprof: invalid option -- '\u{fffd}'\n"), "{outcome:?}");
}
