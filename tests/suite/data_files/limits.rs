//! What data files must not cost: memory for what they only announce, or for each one of many.

use std::fs;

use assert_cmd::prelude::*;
use gmon_format::Encoding;
use predicates::str::contains;

use super::files::{TEXT, bsd, gmon_within, gnu, report, with_program};

/// Enough for the command and small files, in kilobytes; threads reserve most of it.
const LITTLE: u32 = 400_000;

#[test]
fn memory_for_announced_bins_is_not_taken() {
    let place = with_program();
    let native = Encoding::NATIVE;
    let mut file = gnu(native, &[], &[]);
    let bins = 20 + 1 + 2 * native.word.bytes();
    file[bins..bins + 4].fill(0xff);
    place.write("gnu", &file);
    let mut file = bsd(native, &[], &[]);
    let size = 2 * native.word.bytes();
    file[size..size + 4].fill(0xff);
    place.write("bsd", &file);
    for name in ["gnu", "bsd"] {
        for arguments in ["gprof exe", "gprof -s exe", "merge -o sum --like exe"] {
            let said = gmon_within(&place, LITTLE, &format!("{arguments} {name}")).assert().code(1);
            said.stderr(contains("unexpected")).stdout("");
        }
    }
    for endless in ["/dev/zero", "/dev/urandom"] {
        let said = gmon_within(&place, LITTLE, &format!("gprof exe {endless}")).assert().code(1);
        said.stdout("").stderr(contains(endless));
    }
}

#[test]
fn texts_of_basic_blocks_are_not_read_without_end() {
    let place = with_program();
    place.must("mkfifo pipe");
    for (input, why) in [
        ("/dev/zero", "gmon: /dev/zero: no text: it does not end\n"),
        ("/dev/urandom", "gmon: /dev/urandom: no text: it does not end\n"),
        ("- < /dev/zero", "gmon: -: no text: it does not end\n"),
        ("pipe", "gmon: pipe: a pipe that nobody writes to\n"),
    ] {
        let said = gmon_within(&place, LITTLE, &format!("bbconv -o data {input}")).assert();
        said.code(1).stdout("").stderr(why);
        assert!(!place.exists("data"), "{input}");
    }
    // Neither what a text announces nor a line without end takes more than its own bytes.
    let announced = "File a.c, 18446744073709551615 basic blocks\n".repeat(1000);
    place.write("announced", announced.as_bytes());
    let mut line = b"Block #1: executed ".to_vec();
    line.resize(30 << 20, b' ');
    place.write("line", &line);
    place.write("bytes", [b"File ", &b"\xff\0, basic blocks, ".repeat(100_000)[..]].concat());
    for (name, said) in [("announced", "18446744073709551615"), ("line", ""), ("bytes", "")] {
        let run = gmon_within(&place, LITTLE, &format!("bbconv -o data {name}")).assert();
        run.success().stdout("").stderr(contains(said));
    }
}

/// A cell of the index may be a gigabyte wide; GNU gprof takes 4 MB of memory for it.
#[test]
fn wide_lines_are_not_made_in_memory() {
    let place = with_program();
    let arcs = [(TEXT + 1, TEXT + 64, 1), (TEXT + 2, TEXT + 128, 1), (TEXT + 65, TEXT + 128, 1)];
    place.write("data", gnu(Encoding::NATIVE, &[], &arcs));
    let size = |width: &str| {
        let line = format!("gprof -b -q -w{width} exe data | wc -c");
        let said = gmon_within(&place, LITTLE, &line).assert().success().stderr("");
        let text = String::from_utf8_lossy(&said.get_output().stdout).into_owned();
        text.trim().parse::<u64>().expect("a number of bytes")
    };
    // Two names in a line of three, the second where its third begins. As with `atoi`, the lower 32 bits count.
    let third = |width: u64| (width % (1 << 32) - 1) / 3;
    let (narrow, wide) = (80, 99_999_999_999);
    let difference = size(&wide.to_string()) - size(&narrow.to_string());
    assert_eq!(difference, third(wide) - third(narrow));
}

#[test]
fn ten_thousand_files_take_the_memory_of_a_few() {
    const FILES: u64 = 10_000;
    let place = with_program();
    fs::create_dir(place.path("data")).expect("a folder");
    let same: Vec<_> = (0..40).map(|n| (TEXT + n, TEXT + 64, 1)).collect();
    for number in 0..FILES {
        let arcs = [&same[..], &[(TEXT + number % 64, TEXT, number)]].concat();
        let file = gnu(Encoding::NATIVE, &[(number as u32 % 32, 1)], &arcs);
        place.write(&format!("data/gmon.out.{number}"), &file);
    }
    gmon_within(&place, LITTLE, "gprof -s exe data/gmon.out.*").assert().success().stderr("");
    gmon_within(&place, LITTLE, "merge -o merged data/gmon.out.*").assert().success().stderr("");
    for sum in ["gmon.sum", "merged"] {
        let report = report(&place, sum);
        let calls = |name: &str| {
            let line = report.lines().find(|line| line.ends_with(&format!("  {name}")));
            line.and_then(|line| line.split_whitespace().nth(3)).map(str::to_owned)
        };
        assert_eq!(calls("work"), Some((40 * FILES).to_string()), "{report}");
        // Those by itself are not counted here.
        assert!(report.contains(&format!("+{} ", FILES * (FILES - 1) / 2)), "{report}");
        assert!(report.contains(" for 0.01% of 100.00 seconds"), "{report}");
    }
    assert!(place.bytes("merged").len() < 10_000);
}
