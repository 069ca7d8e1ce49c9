//! `gmon merge`.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use assert_cmd::prelude::*;
use gmon_format::{Encoding, Record, Records, WordSize};
use predicates::str::{contains, diff};

use super::files::{TEXT, bsd, gnu, report, with_program};
use crate::GMON;
use support::workplace::Workplace;

/// What a GNU file holds: ticks by bin, calls by call site and function.
fn contents(file: &[u8], encoding: Encoding) -> (Vec<u64>, BTreeMap<(u64, u64), u64>) {
    let (mut ticks, mut calls) = (Vec::new(), BTreeMap::new());
    for record in Records::new(file, encoding).expect("a GNU file") {
        match record.expect("a whole file") {
            Record::Histogram(histogram) => {
                ticks.resize(histogram.bins.iter().len(), 0);
                for (sum, bin) in ticks.iter_mut().zip(histogram.bins.iter()) {
                    *sum += u64::from(bin);
                }
            }
            Record::Arc(arc) => {
                *calls.entry((arc.from_pc.0.0, arc.self_pc.0.0)).or_default() += arc.count
            }
            Record::Blocks(_) => {}
        }
    }
    (ticks, calls)
}

#[test]
fn every_call_site_keeps_its_own_count() {
    for encoding in Encoding::ALL {
        let place = Workplace::new();
        let sites = |count| [(TEXT + 4, TEXT + 64, count), (TEXT + 8, TEXT + 64, 1)];
        place.write("a", gnu(encoding, &[(0, 60_000), (3, 1)], &sites(5)));
        place.write("b", gnu(encoding, &[(0, 60_000)], &sites(u32::MAX.into())));
        place.write("c", bsd(encoding, &[7], &sites(10)));
        place.gmon("merge -o sum a b c").assert().success().stdout("").stderr("");
        let (ticks, calls) = contents(&place.bytes("sum"), encoding);
        assert_eq!((ticks[0], ticks[3], ticks.iter().sum()), (120_007, 1, 120_008), "{encoding}");
        let wide = u64::from(u32::MAX) + 15;
        let expected = [((TEXT + 4, TEXT + 64), wide), ((TEXT + 8, TEXT + 64), 3)];
        assert_eq!(calls, BTreeMap::from(expected), "{encoding}");
    }
}

#[test]
fn reports_of_the_sum_are_those_of_the_files() {
    let place = with_program();
    let native = Encoding::NATIVE;
    place.write("a", gnu(native, &[(0, 5), (20, 9)], &[(TEXT + 4, TEXT + 64, 5)]));
    place.write("b", gnu(native, &[(1, 5)], &[(TEXT + 70, TEXT, 2), (TEXT + 9, TEXT + 64, 1)]));
    place.write("c", bsd(native, &[1; 32], &[(TEXT, TEXT + 64, 1 << 33)]));
    place.gmon("merge a b -o sum c").assert().success();
    assert_eq!(report(&place, "sum"), report(&place, "a b c"));
    // The sum may replace one of the files, and come from the standard input.
    place.gmon("merge --output=a a b").assert().success();
    let input = place.bytes("c");
    assert_cmd::Command::from_std(place.gmon("merge --like exe -o b a -"))
        .write_stdin(input)
        .assert()
        .success();
    assert_eq!(place.bytes("b"), place.bytes("sum"));
    // A sum of one is the same, even if it repeats an arc.
    place.write("twice", gnu(native, &[], &[(TEXT, TEXT, 1), (TEXT, TEXT, 2)]));
    place.write("once", gnu(native, &[], &[(TEXT, TEXT, 3)]));
    place.gmon("merge -o sum twice").assert().success();
    assert_eq!(place.bytes("sum"), place.bytes("once"));
}

#[test]
fn files_of_different_programs_are_not_mixed() {
    let place = with_program();
    let arcs = [(TEXT + 4, TEXT + 64, 5)];
    for encoding in Encoding::ALL {
        place.write(&encoding.to_string(), gnu(encoding, &[(0, 1)], &arcs));
        place.write(&format!("bsd {encoding}"), bsd(encoding, &[1; 32], &arcs));
    }
    let other = Encoding::ALL.into_iter().find(|other| *other != Encoding::NATIVE);
    let other = other.expect("another encoding");
    for kind in ["", "bsd "] {
        let (first, second) = (Encoding::NATIVE.to_string(), format!("{kind}{other}"));
        let message = format!("data of a {other} program, not of a {first} one");
        let mut command = place.gmon("merge -o sum");
        let said = command.args([&first, &second]).assert().code(1).stdout("");
        said.stderr(diff(format!("gmon: {second}: {message}\n")));
        let mut command = place.gmon("merge -o sum --like exe");
        command.arg(&second).assert().code(1).stderr(contains(message));
    }
    assert!(!place.path("sum").exists());
}

#[test]
fn a_file_that_tells_no_encoding_goes_with_all() {
    let place = Workplace::new();
    let foreign = Encoding { word: WordSize::Four, ..Encoding::NATIVE };
    let nothing = gnu(foreign, &[], &[]);
    place.write("nothing", &nothing[..20]);
    place.write("foreign", gnu(foreign, &[(0, 1)], &[]));
    place.gmon("merge -o sum nothing foreign nothing").assert().success();
    assert_eq!(place.bytes("sum"), place.bytes("foreign"));
    place.gmon("merge -o sum nothing").assert().success();
    assert_eq!(place.bytes("sum"), place.bytes("nothing"));
}

#[test]
fn errors_name_the_file() {
    let place = Workplace::new();
    for encoding in Encoding::ALL {
        let good = gnu(encoding, &[(0, 1)], &[(1, 2, 3)]);
        place.write("good", &good);
        place.write("cut", &good[..good.len() - 1]);
        place.write("text", b"some text that is no profile");
        place.write("empty", b"");
        for (files, message) in [
            ("cut", "cut: unexpected end of file in the record at offset "),
            ("good cut", "cut: unexpected end of file in the record at offset "),
            ("text", "text: not a data file of any known format\n"),
            ("good empty", "empty: file too short to be a gmon file\n"),
            ("good none", "none: No such file or directory\n"),
        ] {
            let said = place.gmon(&format!("merge -o sum {files}")).assert().code(1).stdout("");
            said.stderr(contains(format!("gmon: {message}")).count(1))
                .stderr(contains("\n").count(1));
        }
        let said = place.gmon("merge -o no/such/folder good").assert().code(1);
        said.stderr("gmon: no/such/folder: No such file or directory\n");
        let said = place.gmon("merge -o /dev/full good").assert().code(1);
        said.stderr("gmon: /dev/full: No space left on device\n");
    }
    assert!(!place.path("sum").exists());
    place.gmon("merge good").assert().code(2).stderr(contains("--output <OUT>"));
    place.gmon("merge -o sum").assert().code(2).stderr(contains("<FILE>"));
    assert_eq!(fs::read_dir(place.path(".")).expect("a folder").count(), 4);
}

/// Whatever the umask, sums are writable for their owner only, unless an older file of theirs was not.
#[test]
fn sums_are_not_writable_for_others() {
    let place = with_program();
    place.write("a", gnu(Encoding::NATIVE, &[(0, 5)], &[(TEXT + 4, TEXT + 64, 5)]));
    for (command, sum) in [("merge a a -o sum", "sum"), ("gprof -s exe a", "gmon.sum")] {
        let mode = |mask: &str| {
            let mut shell = place.command("sh");
            shell.arg("-c").arg(format!("umask {mask}; exec {GMON} {command} > printed"));
            shell.assert().success().stderr("");
            fs::metadata(place.path(sum)).expect("a sum").permissions().mode() & 0o777
        };
        for (mask, expected) in [("0", 0o644), ("077", 0o600)] {
            assert_eq!(mode(mask), expected, "{command}, umask {mask}");
            fs::remove_file(place.path(sum)).expect("my own file");
        }
        place.write(sum, b"old");
        let shared = fs::Permissions::from_mode(0o660);
        fs::set_permissions(place.path(sum), shared).expect("my own file");
        place.write(sum, place.bytes("a"));
        assert_eq!(mode("0"), 0o660, "{command}");
    }
}
