//! `--blocks` of `gmon cc` and `gmon run`. What the hooks then count is for the suite `blocks`.

use std::fs;

use assert_cmd::prelude::*;
use gmon_format::{Encoding, Record, Records};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use super::with_program;
use crate::GMON;
use support::tools;
use support::workplace::Workplace;

/// Executions of all blocks in `gmon.out`, and whether there are arcs too.
fn executions(place: &Workplace) -> (Vec<u64>, bool) {
    let bytes = fs::read(place.path("gmon.out")).expect("gmon.out");
    fs::remove_file(place.path("gmon.out")).expect("gmon.out");
    let records = Records::new(&bytes, Encoding::NATIVE).expect("a data file");
    let records: Vec<Record> = records.map(|record| record.expect("a record")).collect();
    let blocks = records.iter().filter_map(|record| match record {
        Record::Blocks(blocks) => Some(blocks.iter().map(|block| block.count)),
        _ => None,
    });
    let has_arcs = records.iter().any(|record| matches!(record, Record::Arc(_)));
    (blocks.flatten().collect(), has_arcs)
}

fn compilers() -> impl Iterator<Item = &'static str> {
    ["gcc", "clang"].into_iter().filter(|name| tools::find(name).is_some())
}

#[test]
fn compilers_get_the_hooks_that_they_have() {
    for compiler in compilers() {
        let place = with_program();
        for lines in [
            &["-Werror -O1 prog.c -o prog"][..],
            &["-Werror -O1 -c prog.c", "-Werror prog.o -o prog"],
            &["-Werror -O1 -static prog.c -o prog"],
            &["-Werror -O1 -fsanitize-coverage=trace-pc -c prog.c", "-Werror prog.o -o prog"],
        ] {
            for line in lines {
                let mut cc = place.gmon("cc --blocks");
                cc.arg(compiler).args(line.split(' ')).assert().success().stderr("");
            }
            place.must("./prog");
            let (executions, has_arcs) = executions(&place);
            assert!(executions.contains(&3) && has_arcs, "{compiler} {lines:?}: {executions:?}");
        }
        // Lines are known.
        let symbols = place.command("readelf").args(["-SW", "prog"]).assert().success();
        symbols.stdout(contains(".debug_line"));
    }
}

#[test]
fn option_may_stand_in_the_variable() {
    let place = with_program();
    place.gmon("cc prog.c").env("CC", format!("{GMON} cc --blocks gcc")).assert().success();
    place.must("./a.out");
    assert!(executions(&place).0.contains(&3));
}

#[test]
fn sources_are_run_with_their_blocks_counted() {
    for compiler in compilers() {
        let place = with_program();
        place.gmon("run --blocks prog.c -Werror").env("CC", compiler).assert().success();
        let (executions, has_arcs) = executions(&place);
        assert!(executions.contains(&3) && has_arcs, "{compiler}: {executions:?}");
        place.gmon("run prog.c").env("CC", compiler).assert().success();
        assert_eq!(self::executions(&place).0, [0; 0]);
    }
    let place = Workplace::new();
    let said =
        contains("--blocks needs sources, and /bin/true is a program; build it with gmon cc");
    place.gmon("run --blocks /bin/true").assert().code(1).stderr(said.and(contains("\n").count(1)));
}
