//! The contract of gcc's `-a`, which no compiler of today has: a program plays it by hand.

use support::{command::text_of, program::Program, suite::Suite};

const MODES: [&str; 4] =
    ["default", "default, own start", "no-pie, own start", "static, own start"];

/// What a file of the program tells of both functions.
fn blocks(program: &Program, file: &str) -> (Vec<u64>, Vec<u64>) {
    let counts = program.counts(file);
    (counts.blocks("work"), counts.blocks("choose"))
}

#[test]
fn blocks_of_units_are_written() {
    for program in Suite("blocks").in_modes("units.c", &MODES) {
        // At the end, and when it is asked for.
        for arguments in [&[][..], &["exit"]] {
            program.clear();
            text_of(program.command().args(arguments));
            let files = program.files();
            assert_eq!(files.len(), 3, "{files:?}");
            assert_eq!(blocks(&program, "gmon.out"), (vec![30], vec![10, 4, 6]));
            assert_eq!(blocks(&program, &files[1]), (vec![2], vec![0, 0, 0]));
        }
    }
}
