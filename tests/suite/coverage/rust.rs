//! A program in Rust, with the options that docs/blocks.md gives.

use std::fs;
use std::path::Path;

use super::{counters::tracefile, tracefile::of_lcov};
use support::{
    command::{output_of, static_library, text_of},
    workplace::Workplace,
};

const PROGRAM: &str = include_str!("programs/rounds.rs");

/// What the document says `RUSTFLAGS` must be.
fn documented_flags() -> Vec<String> {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/blocks.md");
    let document = fs::read_to_string(document).expect("the document");
    let flags = document.split_once("RUSTFLAGS=\"").and_then(|(_, rest)| rest.split_once('"'));
    let (flags, _) = flags.expect("RUSTFLAGS in the document");
    let library = static_library().display().to_string();
    let flags = flags.replace("$(gmon config --static-lib)", &library);
    flags.split_whitespace().filter(|word| *word != "\\").map(str::to_owned).collect()
}

#[test]
fn lines_of_rust_are_executed_as_often_as_they_say() {
    let place = Workplace::new();
    place.write("rounds.rs", PROGRAM);
    let mut rustc = place.command("rustc");
    rustc.args(["--edition=2021", "rounds.rs", "-o", "ours"]).args(documented_flags());
    let compiled = output_of(&mut rustc);
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    text_of(place.command(place.path("ours")).env("GMON_OPTIONS", "sampler=none"));

    let lines = of_lcov(&tracefile(&place), "/rounds.rs");
    let mut compared = 0;
    for (number, text) in (1..).zip(PROGRAM.lines()) {
        let Some((_, expected)) = text.split_once(" // ") else { continue };
        let expected: u64 = expected.parse().expect("a number");
        assert_eq!(lines.get(&number), Some(&expected), "line {number}: {text}");
        compared += 1;
    }
    assert_eq!(compared, 19);
}
