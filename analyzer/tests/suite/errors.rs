//! Bad input: one clear line that names the file, and exit status 1.

use std::io::{self, Write};

use super::data::{Data, Histogram};
use super::elf::{self, Elf};
use super::gnu;
use super::run::{Case, Outcome, gprof, gprof_on};

const TEXT: u64 = 0x40_1000;

fn small_exe() -> Elf {
    let mut exe = Elf::new(TEXT, 128);
    exe.function("main", TEXT).function("work", TEXT + 64).function("end", TEXT + 120);
    exe
}

fn small_data() -> Data {
    Data {
        histograms: vec![Histogram::new(TEXT, TEXT + 120, vec![3; 30])],
        arcs: vec![(TEXT + 8, TEXT + 64, 5)],
    }
}

fn small_case() -> Case {
    let exe = small_exe();
    Case::new(&exe.bytes(), &small_data().bytes(exe.encoding))
}

/// Checks that a run printed nothing but one line on the standard error, and failed.
fn assert_refused(outcome: &Outcome, message: &str) {
    assert_eq!(outcome.stderr, format!("{message}\n"));
    assert_eq!((outcome.stdout.as_str(), outcome.status), ("", 1));
}

/// Each executable with its error message, in which `EXE` stands for its path.
#[test]
fn bad_executables_are_refused_by_name() {
    let mut stripped = small_exe();
    stripped.symbols.clear();
    let mut damaged = small_exe().bytes();
    // The section headers lie beyond the end of the file.
    damaged[0x28..0x30].copy_from_slice(&u64::MAX.to_le_bytes());
    for (bytes, message) in [
        (&b""[..], "gprof: EXE: not in executable format"),
        (b"int main(void) { return 0; }\n", "gprof: EXE: not in executable format"),
        (&stripped.bytes(), "gprof: file `EXE' has no symbols"),
        (
            &damaged,
            "gprof: EXE: damaged ELF file: Invalid ELF section header offset/size/alignment",
        ),
    ] {
        let case = Case::new(bytes, &small_data().bytes(elf::LITTLE_64));
        let exe = case.path("exe").display().to_string();
        assert_refused(&case.gprof("-b"), &message.replace("EXE", &exe));
    }
    let case = small_case();
    let missing = case.path("missing");
    let message = format!("{}: No such file or directory", missing.display());
    assert_refused(&gprof_on("", &missing, &case.path("gmon.out")), &message);
}

/// Each data file with its error message, in which `DATA` stands for its path.
#[test]
fn bad_data_is_refused_by_name() {
    let case = small_case();
    let good = small_data().bytes(elf::LITTLE_64);
    let version_9 = [&good[..4], &[9, 0, 0, 0], &good[8..]].concat();
    let bad_tag = [&good, &[7][..]].concat();
    for (bytes, message) in [
        (&b""[..], "DATA: file too short to be a gmon file"),
        (&good[..19], "DATA: file too short to be a gmon file"),
        (
            b"some text that is no profile",
            "gprof: file 'DATA' does not appear to be in gmon.out format",
        ),
        (&good[..40], "gprof: DATA: unexpected end of file"),
        (&good[..80], "gprof: DATA: unexpected EOF after reading 9 of 30 samples"),
        (&good[..good.len() - 1], "gprof: DATA: unexpected end of file"),
        (&version_9, "gprof: file `DATA' has unsupported version 9"),
        (&bad_tag, "gprof: DATA: found bad tag 7 (file corrupted?)"),
    ] {
        let data = case.file("gmon.out", bytes);
        let message = message.replace("DATA", &data.display().to_string());
        assert_refused(&case.gprof("-b"), &message);
    }
    let missing = case.path("missing");
    let message = format!("{}: No such file or directory", missing.display());
    assert_refused(&gprof_on("", &case.path("exe"), &missing), &message);
}

#[test]
fn bad_input_is_refused_in_the_words_of_gnu_gprof() {
    if !gnu::is_here("bad_input_is_refused_in_the_words_of_gnu_gprof") {
        return;
    }
    let good = small_data().bytes(elf::LITTLE_64);
    let mut stripped = small_exe();
    stripped.symbols.clear();
    for (exe, data) in [
        (&b""[..], &good[..]),
        (b"text", &good),
        (&stripped.bytes(), &good),
        (&small_exe().bytes(), b""),
        (&small_exe().bytes(), &good[..40]),
        (&small_exe().bytes(), &good[..80]),
        (&small_exe().bytes(), &good[..good.len() - 1]),
        (&small_exe().bytes(), &[&good, &[7][..]].concat()),
    ] {
        gnu::assert_same("bad input", &Case::new(exe, data).words("-b"));
    }
}

#[test]
fn histograms_that_contradict_each_other_are_refused() {
    let first = &small_data().histograms[0];
    let low = first.low;
    let overlapping = Histogram { low: low + 60, high: low + 180, ..first.clone() };
    let other_unit = Histogram { dimension: "misses", ..first.clone() };
    let other_letter = Histogram { abbreviation: b'm', ..first.clone() };
    let other_bins = Histogram { bins: vec![1; 60], ..first.clone() };
    let words = [
        (&overlapping, "gprof: overlapping histogram records\n"),
        (
            &other_unit,
            "gprof: dimension unit changed between histogram records\n\
             gprof: from 'seconds'\ngprof: to 'misses'\n",
        ),
        (
            &other_letter,
            "gprof: dimension abbreviation changed between histogram records\n\
             gprof: from 's'\ngprof: to 'm'\n",
        ),
        (&other_bins, "gprof: different scales in histogram records\n"),
    ];
    for (second, message) in words {
        let data = Data { histograms: vec![first.clone(), second.clone()], arcs: vec![] };
        let case = Case::new(&small_exe().bytes(), &data.bytes(elf::LITTLE_64));
        let outcome = case.gprof("-b");
        assert_eq!((outcome.stderr.as_str(), outcome.status), (message, 1));
    }
}

/// GNU gprof adds ticks of different lengths, and divides by a rate of zero.
#[test]
fn rates_that_make_no_sense_are_refused() {
    let first = small_data().histograms[0].clone();
    let faster = Histogram { rate: 1000, ..first.clone() };
    let stopped = Histogram { rate: 0, ..first.clone() };
    let backwards = Histogram { low: first.high, high: first.low, ..first.clone() };
    for (histograms, message) in [
        (vec![first, faster], "DATA: profiling rate incompatible with first gmon file"),
        (vec![stopped], "gprof: DATA: histogram with a profiling rate of 0"),
        (vec![backwards], "gprof: DATA: histogram ends before it starts"),
    ] {
        let data = Data { histograms, arcs: vec![] };
        let case = Case::new(&small_exe().bytes(), &data.bytes(elf::LITTLE_64));
        let path = case.path("gmon.out").display().to_string();
        assert_refused(&case.gprof("-b"), &message.replace("DATA", &path));
    }
}

#[test]
fn data_of_another_program_is_reported_with_a_warning() {
    let data = Data {
        histograms: vec![Histogram::new(0x9000_0000, 0x9000_0100, vec![1; 128])],
        arcs: vec![(0x9000_0004, 0x9000_0010, 5)],
    };
    let case = Case::new(&small_exe().bytes(), &data.bytes(elf::LITTLE_64));
    let outcome = case.gprof("-b");
    let expected = format!(
        "gprof: warning: {}: all its addresses lie outside the code of {}; \
         is it another program's?\n",
        case.path("gmon.out").display(),
        case.path("exe").display()
    );
    assert_eq!((outcome.stderr, outcome.status), (expected, 0));
    if gnu::is_here("data_of_another_program_is_reported_with_a_warning") {
        assert_eq!(outcome.stdout, gnu::gnu_gprof(&case.words("-b")).stdout);
    }
}

#[test]
fn what_the_data_does_not_have_cannot_be_asked_for() {
    let Data { histograms, arcs } = small_data();
    for (data, options, missing) in [
        (Data { histograms, arcs: vec![] }, "-q", "call-graph data"),
        (Data { histograms: vec![], arcs }, "-p", "histogram"),
    ] {
        let case = Case::new(&small_exe().bytes(), &data.bytes(elf::LITTLE_64));
        let message = format!("gprof: gmon.out file is missing {missing}");
        assert_refused(&case.gprof(options), &message);
    }
}

#[test]
fn an_unknown_option_is_answered_with_the_usage() {
    let outcome = gprof(&["--nonsense".into()]);
    assert!(outcome.stderr.starts_with("gprof: unrecognized option '--nonsense'\nUsage: gprof "));
    assert_eq!((outcome.stdout.as_str(), outcome.status), ("", 1));
    let help = gprof(&["-h".into()]);
    assert!(help.stdout.starts_with("Usage: gprof "));
    assert!(help.stdout.lines().last().unwrap().starts_with("Report bugs to "));
    assert_eq!((help.stderr.as_str(), help.status), ("", 0));
}

/// An output that takes nothing.
struct Broken(io::ErrorKind);

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_is_success_and_a_full_disk_is_not() {
    for (kind, status) in [(io::ErrorKind::BrokenPipe, 0), (io::ErrorKind::StorageFull, 1)] {
        let case = small_case();
        let mut stderr = Vec::new();
        let words = case.words("-b");
        let got = gmon_analyzer::gprof::main("gprof", &words, &mut Broken(kind), &mut stderr);
        assert_eq!(got, status);
        assert_eq!(stderr.is_empty(), status == 0);
    }
}
