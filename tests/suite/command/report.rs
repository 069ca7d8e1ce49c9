//! `gmon report`: the summary of data that are there.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use assert_cmd::prelude::*;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use super::with_program;
use crate::GMON;
use support::command::text_of;
use support::workplace::Workplace;

/// A workplace with `a.out`, built for profiling, and its `gmon.out`.
fn workplace() -> Workplace {
    let place = with_program();
    place.gmon("run prog.c").assert().success();
    place
}

#[test]
fn the_usual_files_need_no_name() {
    let place = workplace();
    for arguments in ["report", "report a.out", "report gmon.out", "report ./a.out gmon.out"] {
        let run = place.gmon(arguments).assert().success().stderr("");
        run.stdout(contains("4 calls of 2 functions").and(contains("gmon gprof a.out gmon.out")));
    }
    let twice = place.gmon("report a.out gmon.out gmon.out").assert().success();
    twice.stdout(contains("8 calls of 2 functions"));
}

#[test]
fn names_tell_the_program() {
    let place = workplace();
    place.must("mv a.out prog");
    place.must("mv gmon.out gmon.out.prog");
    let run = place.gmon("report gmon.out.prog").assert().success();
    run.stdout(contains("gmon gprof prog gmon.out.prog"));
    place.must("mv gmon.out.prog other");
    let run = place.gmon("report other").assert().code(1).stdout("");
    run.stderr("gmon: which program wrote other? Say gmon report PROGRAM other\n");
    let run = place.gmon("report misspelt").assert().code(1).stdout("");
    run.stderr("gmon: misspelt: No such file or directory\n");
    let run = place.gmon("report prog").assert().code(1).stdout("");
    run.stderr(contains("there is no gmon.out here; run the program first"));
}

#[test]
fn a_program_that_has_moved_is_named() {
    let place = Workplace::new();
    place.write(
        "busy.c",
        "#include <time.h>\nint main(void) { while (clock() < CLOCKS_PER_SEC / 10) ; }\n",
    );
    place.gmon("run --program gone busy.c").assert().success();
    place.must("mv gone moved");
    let gone = ": the program that wrote it is not there any more (gone)";
    let report = format!(
        "gmon: gmon.out.full{gone}; if it has moved, say gmon report PROGRAM gmon.out.full\n"
    );
    place.gmon("report gmon.out.full").assert().code(1).stderr(report);
    place.gmon("report moved gmon.out.full").assert().success();
    let diff = format!("gmon: gmon.out{gone}; if it has moved, say --base-program PROGRAM\n");
    place.gmon("diff gmon.out gmon.out.full").assert().code(1).stderr(diff);
    let merge = place.gmon("merge -o sum.json gmon.out.full").assert().code(1);
    merge.stderr(contains(gone));
    place.gmon("annotate").assert().code(1).stderr("gmon: gone: No such file or directory\n");
}

/// The last line of a summary is for a shell, whatever the program is called.
#[test]
fn commands_that_are_shown_can_be_typed() {
    let place = workplace();
    for name in [&b"n\nl"[..], b"it's", b"d\xff", b"-x", b"a\x1bb"] {
        let program = Path::new("./").join(OsStr::from_bytes(name));
        fs::copy(place.path("a.out"), place.folder().join(&program)).expect("a copy");
        let run = place.gmon("run").arg(&program).output().expect("gmon run");
        let said = String::from_utf8(run.stderr).expect("UTF-8");
        let shown = said.split_once("gmon gprof ").map(|(_, words)| words);
        let words = shown.and_then(|words| words.lines().next()).expect("a command");
        let mut shell = place.command("bash");
        shell.arg("-c").arg(format!("{GMON} report {words}"));
        shell.assert().success().stdout(contains("4 calls of 2 functions"));
    }
}

#[test]
fn a_folder_knows_its_processes() {
    let place = workplace();
    place.gmon("run -d data sh -c").arg("./a.out; ./a.out").assert().success();
    let run = place.gmon("report data").assert().success().stderr("");
    run.stdout(
        contains("3 processes of 2 programs")
            .and(contains("CPU time in 2 processes"))
            .and(contains("8 calls of 2 functions")),
    );
    // It may have been moved.
    place.must("mv data moved");
    place.gmon("report moved").assert().success().stdout(contains("8 calls of 2 functions"));
    // Words in place of a file are for people.
    for (words, script) in [
        ("did next to nothing", "./a.out; ./a.out"),
        ("became another program", "./a.out & wait; exec ./a.out"),
    ] {
        place.gmon("run -d words sh -c").arg(script).assert().success();
        let run = place.gmon("report words").assert().success();
        run.stdout(contains(format!("sh, {words}")));
        let csv = text_of(&mut place.gmon("report words --format csv"));
        let table = csv.split("\n\n").next().expect("a table");
        let files: Vec<&str> =
            table.lines().skip(1).flat_map(|row| row.rsplit(',').next()).collect();
        assert!(files.len() >= 3, "{csv}");
        assert!(files.iter().all(|file| file.is_empty() || place.path(file).exists()), "{csv}");
        place.must("rm -r words");
    }
    // Where nothing can be shown of any program, that is an error, as it is of a single one.
    for options in ["--times", "--from 100s", "--only no_such", "--html page.html --last 1s"] {
        place.gmon(&format!("report moved {options}")).assert().code(1);
    }
    let run = place.gmon("report moved --child a.out --calls no_such").assert().code(1);
    run.stderr(contains("gmon: --child a.out: no function no_such was called"));
    let run = place.gmon("report moved --child nobody").assert().code(1);
    run.stderr(contains(
        "moved has no profile of such a process; processes of the run are called sh, ",
    ));
    let run = place.gmon("report .").assert().code(1);
    run.stderr(contains("gmon run -d did not make .; name the program"));
    place.gmon("report --child 1 a.out").assert().code(1).stderr(contains("need a folder"));
}

#[test]
fn control_characters_of_names_reach_no_terminal() {
    let place = workplace();
    place.write("\x1b[31mred", "no profile");
    let said = place.gmon("report a.out").arg("\x1b[31mred").assert().code(1);
    said.stderr(contains(r"\u{1b}[31mred").and(contains("\x1b").not()));
    let said = place.gmon("run").arg("\x1b[31mmissing").assert().code(1);
    said.stderr(contains(r"\u{1b}[31mmissing").and(contains("\x1b").not()));
}

#[test]
fn lines_that_were_not_used_are_no_lack_of_debug_information() {
    let place = Workplace::new();
    place.write("main.c", "int main(void) { return 0; }\n");
    place.gmon("run main.c").assert().success();
    let run = place.gmon("annotate a.out gmon.out").assert().success();
    run.stdout(contains("compile with -g").not());
}
