//! `gmon doctor`: the classical mistakes, each with its remedy.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::{Duration, SystemTime};

use assert_cmd::prelude::*;
use gmon_format::options::ROWS;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

use super::with_program;
use support::workplace::Workplace;

/// A workplace with a program that has run, `a.out` with its `gmon.out`.
fn after_a_run() -> Workplace {
    let place = with_program();
    place.gmon("cc gcc -O2 -g prog.c").assert().success();
    place.command("./a.out").assert().success();
    place
}

/// The findings about a program and its data.
fn findings(place: &Workplace, arguments: &str) -> Vec<Value> {
    let output = place.gmon(&format!("doctor --format json {arguments}")).output().expect("gmon");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(told["schema"], "gmon-doctor/1");
    let problems = told["problems"].as_u64().expect("a number");
    assert_eq!(output.status.code(), Some(i32::from(problems > 0)));
    told["findings"].as_array().expect("a list").clone()
}

/// Checks that there is this one problem about program and data, with a remedy.
#[track_caller]
fn is_found(place: &Workplace, arguments: &str, problem: &str, remedy: &str) {
    let findings = findings(place, arguments);
    let of_files = findings.iter().filter(|finding| !finding["file"].is_null());
    let problems: Vec<_> = of_files.filter(|finding| finding["grade"] == "problem").collect();
    let has = |finding: &Value, key: &str, text: &str| {
        finding[key].as_str().is_some_and(|found| found.contains(text))
    };
    let is_it = |finding: &&&Value| has(finding, "text", problem) && has(finding, "remedy", remedy);
    assert!(problems.iter().any(|finding| is_it(&finding)), "{problem}: {problems:#?}");
}

/// Compiles the program in another way.
#[track_caller]
fn gcc(place: &Workplace, arguments: &str) {
    place.command("gcc").args(arguments.split(' ')).assert().success();
}

#[test]
fn all_is_well_with_a_profile_of_this_program() {
    let place = after_a_run();
    let findings = findings(&place, "a.out");
    let is_told = |text: &str| {
        findings.iter().any(|finding| {
            finding["grade"] == "ok" && finding["text"].as_str().is_some_and(|it| it.contains(text))
        })
    };
    assert!(is_told("runtime linked into it") && is_told("has 4 calls"), "{findings:#?}");
    assert!(is_told("line numbers") && is_told("was sampled"), "{findings:#?}");
    place.gmon("doctor a.out").assert().stdout(
        contains("program a.out\n  ok ")
            .and(contains("data gmon.out\n"))
            .and(contains("machine\n")),
    );
}

/// The runtime has lines of Rust's library.
#[test]
fn lines_of_the_runtime_are_not_taken_for_the_programs() {
    let place = Workplace::new();
    place.write("prog.c", super::PROGRAM);
    place.gmon("cc gcc -O2 prog.c").assert().success();
    place.gmon("doctor a.out").assert().stdout(
        contains("has symbols, but no debug information").and(contains("line numbers").not()),
    );
}

#[test]
fn mistakes_with_programs_are_found() {
    let place = after_a_run();
    place.command("strip").args(["-o", "stripped", "a.out"]).assert().success();
    is_found(&place, "stripped", "was stripped", "link without -s");
    gcc(&place, "-O2 -pg -c prog.c");
    gcc(&place, "prog.o -o unlinked");
    is_found(&place, "unlinked", "no profiling runtime was linked", "gmon run");
    gcc(&place, "-O2 -pg prog.c -o usual");
    let is_noted = |finding: &Value| {
        let text = finding["text"].as_str().expect("a text");
        finding["grade"] == "note" && text.contains("has the C library's profiling runtime")
    };
    assert!(findings(&place, "usual").iter().any(is_noted));
    is_found(&place, "prog.o", "is an object file", "link it with gmon cc");
    is_found(&place, "prog.c", "neither a program", "compile it");
    is_found(&place, "nowhere", "No such file", "./prog");
    gcc(&place, "-O2 -pg -static prog.c -o static");
    is_found(
        &place,
        "static",
        "statically linked without gmon's runtime",
        "link it again with gmon cc",
    );
    gcc(&place, "-O2 prog.c -o other");
    fs::set_permissions(place.path("other"), Permissions::from_mode(0o4755)).expect("rights");
    is_found(&place, "other", "set-user-ID", "without the bit");
    let mut foreign = fs::read(place.path("other")).expect("a program");
    // The processor: 64-bit SPARC.
    foreign[18] = 43;
    fs::write(place.path("foreign"), foreign).expect("a file");
    is_found(&place, "foreign", "another kind of machine", "gmon cc");
}

#[test]
fn mistakes_with_data_are_found() {
    let place = after_a_run();
    place.write("empty", "");
    is_found(&place, "a.out empty", "is empty", "run the program again");
    let whole = fs::read(place.path("gmon.out")).expect("data");
    fs::write(place.path("cut"), &whole[..whole.len() / 2]).expect("a file");
    is_found(&place, "a.out cut", "unexpected end of file", "run the program again");
    place.write("text", "not a profile at all, but a text of some length\n");
    is_found(&place, "a.out text", "not a data file", "name its own data file");
    is_found(&place, "a.out never-written", "was killed", "live=gmon.live");
    let early = SystemTime::now() - Duration::from_secs(86_400);
    let data = fs::File::options().write(true).open(place.path("gmon.out")).expect("data");
    data.set_modified(early).expect("a time");
    is_found(&place, "a.out", "is older than a.out", "after each build");
    // Addresses of a program that lies elsewhere.
    place.write("far.c", super::PROGRAM);
    place.gmon("cc gcc -O2 -no-pie -Wl,-Ttext-segment=0x60000000 far.c -o far").assert().success();
    place.command("./far").env("GMON_OPTIONS", "out=far.out").assert().success();
    is_found(&place, "a.out far.out", "of another program", "name the program that wrote it");
}

#[test]
fn mistakes_of_the_environment_are_found() {
    let place = Workplace::new();
    let doctor = |options: &str| {
        let mut command = place.gmon("doctor");
        command.env("GMON_OPTIONS", options);
        command
    };
    let mistyped = doctor("hz=100,stack=1").assert().code(1).stdout(contains("no option stack=1"));
    let said = String::from_utf8_lossy(&mistyped.get_output().stdout);
    let words: Vec<_> = said.split_whitespace().collect();
    let names: Vec<_> = ROWS.iter().map(|row| row.name).collect();
    let list = format!("the options are {}", names.join(", "));
    assert!(words.join(" ").contains(&list), "{list}: {said}");
    doctor("off").assert().code(1).stdout(contains("has off").and(contains("unset GMON_OPTIONS")));
    place
        .gmon("doctor")
        .env("GMON_OUT_PREFIX", "profiles")
        .assert()
        .stdout(contains("profiles.PID"));
    let mut elsewhere = Command::new(crate::GMON);
    let told = elsewhere.arg("doctor").current_dir("/proc").assert().code(1);
    told.stdout(contains("nothing can be written into this folder").and(contains("out=/tmp/")));
}
