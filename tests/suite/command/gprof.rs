//! `gmon gprof` and the command by the name `gprof`. What they print is tested with the analyzer.

use std::os::unix::fs::symlink;

use assert_cmd::prelude::*;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, starts_with};

use super::with_program;
use crate::GMON;
use support::workplace::Workplace;

#[test]
fn both_names_are_one_command() {
    let place = with_program();
    place.gmon("cc cc -O2 prog.c").assert().success();
    place.must("./a.out");
    let by_subcommand = place.gmon("gprof -b").output().expect("gmon gprof");
    assert!(by_subcommand.status.success());
    for name in ["gprof", "x86_64-linux-gnu-gprof"] {
        symlink(GMON, place.path(name)).expect("link");
        let by_name = place.command(place.path(name)).arg("-b").assert().success();
        by_name.stdout(by_subcommand.stdout.clone()).stderr("");
    }
}

#[test]
fn messages_begin_with_the_name_and_name_the_file() {
    let place = Workplace::new();
    // GNU gprof begins some of its messages with the file alone.
    let said = place.gmon("gprof no-such-program").assert().code(1).stdout("");
    said.stderr("no-such-program: No such file or directory\n");
    let said = place.gmon("gprof --no-such-option").assert().code(1).stdout("");
    said.stderr(starts_with("gprof: ").and(contains("no-such-option")));
    symlink(GMON, place.path("gprof")).expect("link");
    let said = place.command(place.path("gprof")).arg("--no-such-option").assert().code(1);
    said.stderr(starts_with(format!("{}: ", place.path("gprof").display())));
}
