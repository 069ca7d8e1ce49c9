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
