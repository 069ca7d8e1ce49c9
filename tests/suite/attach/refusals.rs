//! Why a process is not sampled: what happened, and what to do.

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use assert_cmd::prelude::*;
use support::command::gmon;

use super::{SUITE, Target, as_nobody, can_sample, is_root};

#[test]
fn processes_that_are_not_there_are_errors() {
    for (word, text) in [
        ("4194303", "there is no process 4194303"),
        ("no-such-program", "no running program is called no-such-program"),
    ] {
        gmon().args(["run", "--pid", word]).assert().failure().stderr(contains(text));
    }
    let said = || contains("one of these is empty").and(contains("\n").count(1));
    for word in ["", ",", "1,,2"] {
        let option = format!("--pid={word}");
        gmon().args(["run", &option]).assert().code(1).stdout("").stderr(said());
    }
}

#[test]
fn a_profile_without_samples_is_an_error() {
    if !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let target = Target::start(&program, "idle");
    let said = contains("there is no profile: no sample was taken of");
    target.run(&program, "--for 10ms").assert().code(1).stderr(said);
    target.end();
    assert!(!program.path("gmon.out").exists());
}

#[test]
fn processes_of_other_users_are_refused() {
    if !is_root() || !can_sample() {
        return;
    }
    let program = SUITE.without_profile("life.c");
    let target = Target::start(&program, "work");
    let mut command = as_nobody(gmon().get_program());
    command.args(["run", "--pid", &target.id()]);
    command.current_dir("/");
    let said = contains("it is another user's; run gmon as that user, or by sudo");
    command.assert().code(1).stderr(said);
    target.end();
}

#[test]
fn options_that_need_the_runtime_are_refused() {
    for option in ["--wall", "--libcalls", "--no-stacks", "--order", "--runs=2"] {
        gmon().args(["run", "--pid", "1", option]).assert().code(2);
    }
    gmon().args(["run", "--for", "1s", "true"]).assert().code(2);
    let said = contains("must be a time, as 10s, 500ms or 2m");
    gmon().args(["run", "--pid", "1", "--for", "soon"]).assert().code(2).stderr(said);
}
