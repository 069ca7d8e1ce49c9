//! `gmon bbconv`.

use assert_cmd::prelude::*;
use gmon_format::{Block, Encoding, Record, Records};
use predicates::str::contains;

use super::files::with_program;
use support::workplace::Workplace;

const TEXT: &str = "\
Basic block profiling finished on Mon

File a.c, 2 basic blocks

  Block #1: executed   5 time(s) address= 0x401004 function= main line= 3 file= a.c
  Block #2: executed  12 time(s) address= 0x401044 function= work line= 9 file= a.c
File b.c, 2 basic blocks
  Block #1: executed   7 time(s) address= 0x401048 function= work line= 3 file= b.c
";

/// The records of a file that holds only basic blocks.
fn records(file: &[u8]) -> Vec<Vec<(u64, u64)>> {
    let pairs = |block: Block| (block.pc.0, block.count);
    Records::new(file, Encoding::NATIVE)
        .expect("a GNU file")
        .map(|record| match record.expect("a whole file") {
            Record::Blocks(blocks) => blocks.iter().map(pairs).collect(),
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn a_text_becomes_a_data_file() {
    let place = with_program();
    place.write("bb.out", TEXT.as_bytes());
    let warning = "gmon: warning: bb.out: line 7 announces 2 basic blocks, but 1 follow\n";
    let converted = place.gmon("bbconv bb.out").assert().success().stderr(warning);
    let file = converted.get_output().stdout.clone();
    let expected = [vec![(0x40_1004, 5), (0x40_1044, 12)], vec![(0x40_1048, 7)]];
    assert_eq!(records(&file), expected);
    place.gmon("bbconv --like exe -o data bb.out").assert().success().stdout("");
    assert_eq!(place.bytes("data"), file);
    for arguments in ["bbconv", "bbconv -"] {
        let converted = assert_cmd::Command::from_std(place.gmon(arguments))
            .write_stdin(TEXT)
            .assert()
            .success();
        assert_eq!(converted.get_output().stdout, file);
    }
    let twice = place.gmon("bbconv bb.out bb.out").assert().success();
    assert_eq!(records(&twice.get_output().stdout), [expected.clone(), expected].concat());
    let said = place.gmon("gprof -i exe data").assert().success();
    said.stdout(contains("\t2 basic-block count records\n"));
}

#[test]
fn a_text_is_read_as_any_data_file() {
    let place = with_program();
    place.write("bb.out", TEXT.as_bytes());
    place.gmon("bbconv -o data bb.out").assert().success();
    let warning = "bb.out: line 7 announces 2 basic blocks, but 1 follow\n";
    // Only files of GNU state a version.
    let as_text = |said: &str| said.replace("data", "bb.out").replace("version 1", "version 0");
    for report in ["gprof -l -b -C", "gprof -i"] {
        let [text, data] = ["bb.out", "data"].map(|file| {
            place.gmon(&format!("{report} exe {file}")).assert().success().get_output().clone()
        });
        let said = as_text(&String::from_utf8_lossy(&data.stdout));
        assert_eq!(String::from_utf8_lossy(&text.stdout), said, "{report}");
        assert!(String::from_utf8_lossy(&text.stderr).ends_with(warning), "{text:?}");
    }
    for files in ["bb.out", "data"] {
        place.gmon(&format!("merge -o sum.{files} {files} {files}")).assert().success();
    }
    assert_eq!(place.bytes("sum.bb.out"), place.bytes("sum.data"));
}

#[test]
fn errors_name_the_file() {
    let place = Workplace::new();
    place.write("huge", b"Block #1: executed 1 time(s) address= 0x10000000000000000");
    let said = place.gmon("bbconv -o data huge").assert().code(1).stdout("");
    said.stderr("gmon: huge: line 1: a number is too large for the program\n");
    let said = place.gmon("bbconv missing").assert().code(1).stdout("");
    said.stderr("gmon: missing: No such file or directory\n");
    assert!(!place.path("data").exists());
}
