//! Messages of mistakes that no other test makes: each says what was wrong, and what to do next.

use assert_cmd::prelude::*;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};

use support::workplace::Workplace;

/// Half a second of work, to be sampled.
const PROGRAM: &str = "\
#include <time.h>
__attribute__((noinline)) int work(void) { return clock() < CLOCKS_PER_SEC / 2; }
int main(void) { while (work()); }
";

/// What is typed behind `gmon`, the exit status, and what is said.
const MISTAKES: [(&str, i32, &str); 17] = [
    ("nosuch", 2, "unrecognized subcommand 'nosuch'"),
    ("help nosuch", 2, "unrecognized subcommand 'nosuch'"),
    ("recover folder", 1, "gmon: folder: not a regular file"),
    ("annotate --function work ./prog", 1, "the lines of work are not known; compile with -g"),
    (
        "config --target mips-linux-gnu --libs",
        1,
        "mips-linux-gnu: there is no runtime for mips, only for",
    ),
    (
        "report ./prog --child work",
        1,
        "--child and --no-children need a folder that gmon run -d has made",
    ),
    (
        "report counts.json --threads",
        1,
        "--threads needs call stacks, which this profile does not have; gmon run records them",
    ),
    (
        "export ./prog --format callgrind -o folder/",
        2,
        "folder/: a folder, into which only jsonl goes; name a file",
    ),
    ("export ./prog --format nosuch", 2, "possible values: "),
    (
        "run -d a,b ./prog",
        1,
        "a,b: the path of a folder for profiles cannot have a comma; name another with -d",
    ),
    ("diff counts.json", 2, "gmon: say gmon diff BASE NEW; see gmon diff --help"),
    ("diff a b c", 2, "gmon: say --base FILE... --new FILE... for several runs of a side"),
    (
        "diff a b --fail-on foo:+1",
        2,
        "--fail-on foo:+1: foo is none of calls, self, total and samples",
    ),
    ("diff a b --fail-on self:+5", 2, "--fail-on self:+5: 5 of what? Say 5s or 5%"),
    (
        "diff counts.json counts.json --fail-on calls:+0",
        1,
        "counts.json is on both sides, so no limit can be exceeded; name",
    ),
    (
        "diff --base counts.json other.json --new counts.json",
        1,
        "sampled differently: seconds at 100 Hz, seconds at 200 Hz; take all with the same --rate",
    ),
    (
        "diff --base-run= --new-run=./prog --runs 5",
        1,
        "the command of a side is empty; say what to run, such as --base-run",
    ),
];

#[test]
fn mistakes_are_answered_with_what_to_do() {
    let place = Workplace::new();
    place.write("prog.c", PROGRAM);
    place.gmon("cc gcc -O1 prog.c -o prog").assert().success();
    for (rate, profile) in [("hz=100", "counts.json"), ("hz=200", "other.json")] {
        place.command("./prog").env("GMON_OPTIONS", rate).assert().success();
        place.gmon(&format!("export ./prog -o {profile}")).assert().success();
    }
    std::fs::create_dir(place.path("folder")).expect("a folder");
    for (arguments, status, message) in MISTAKES {
        let mistake = place.gmon(arguments).assert().code(status);
        mistake.stdout(is_empty()).stderr(contains(message).and(contains("panicked").not()));
    }
}

#[test]
fn cargo_gmon_says_what_it_lacks() {
    let place = Workplace::new();
    let command = env!("CARGO_BIN_EXE_cargo-gmon");
    let answer = |arguments: &[&str], path: &str| {
        let mut cargo_gmon = place.command(command);
        cargo_gmon.env_remove("CARGO").env_remove("RUSTC").env("PATH", path);
        let answer = cargo_gmon.args(arguments).assert().failure().stdout(is_empty());
        String::from_utf8(answer.get_output().stderr.clone()).expect("UTF-8")
    };
    let nothing = place.path("nothing").display().to_string();
    let without_cargo = answer(&["gmon", "run"], &nothing);
    assert!(
        without_cargo.contains("gmon: cannot run cargo; install Rust (https://rustup.rs)"),
        "{without_cargo}"
    );
    let explode = answer(&["gmon", "explode"], &nothing);
    assert!(explode.contains("unrecognized subcommand 'explode'"), "{explode}");
    let by_hand = answer(&["run-profiled"], &nothing);
    assert!(by_hand.contains("this is for cargo; say `cargo gmon run`"), "{by_hand}");
}
