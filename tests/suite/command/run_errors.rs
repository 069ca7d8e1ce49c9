//! `gmon run` of what cannot be profiled: one line that says what to do, and status 1.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};

use assert_cmd::prelude::*;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, starts_with};

use super::with_program;
use crate::GMON;
use support::{tools::skip_anywhere, workplace::Workplace};

/// Runs `gmon run PROGRAM` and expects its one line to contain this.
#[track_caller]
fn check(place: &Workplace, program: &str, text: &str) {
    let line = starts_with("gmon: ").and(contains(text.to_owned())).and(contains("\n").count(1));
    place.gmon("run").arg(program).assert().code(1).stdout("").stderr(line);
}

/// Runs `gmon run PROGRAM 5`, which cannot be profiled: it runs all the same, and one line says why there is
/// no profile.
#[track_caller]
fn check_without_profile(place: &Workplace, program: &str, text: &str) {
    let start = starts_with(format!("gmon: there is no profile: {program} "));
    let line = start.and(contains(text.to_owned())).and(contains("\n").count(1));
    place.gmon("run").args([program, "5"]).assert().code(5).stdout("").stderr(line);
}

#[test]
fn a_program_without_hooks_is_run_with_advice_where_stacks_are_not_wanted() {
    let place = with_program();
    let check = |program: &str, text: &str| {
        let start = starts_with(format!("gmon: there is no profile: {program} "));
        let line = start.and(contains(text.to_owned())).and(contains("\n").count(1));
        let run = place.gmon("run --no-stacks").args([program, "5"]).assert().code(5).stdout("");
        run.stderr(line);
    };
    let text =
        "was not compiled for profiling, and started no program that was; build it with gmon cc";
    place.must("cc -O2 prog.c -o prog");
    check("./prog", text);
    place.must("cc -O2 -s prog.c -o prog");
    check("./prog", text);
    place.write_executable("script", "#!/bin/sh\nexit $1\n");
    check("./script", "is a script, and it started no program that");
}

#[test]
fn a_static_program_without_our_runtime_is_to_be_linked_again() {
    let place = with_program();
    for how in ["-static", "-static -pg", "-static-pie -pg", "-static -s"] {
        place.must(&format!("cc -O2 prog.c -o prog {how}"));
        check_without_profile(&place, "./prog", "is statically linked without gmon's runtime");
    }
}

#[test]
fn another_runtime_in_the_program_is_in_the_way() {
    let place = with_program();
    place.write("theirs.c", "__attribute__((no_instrument_function)) void mcount(void) {}\n");
    place.must("cc -O2 -pg prog.c theirs.c -o prog");
    check_without_profile(&place, "./prog", "has another profiling runtime linked into it");
}

#[test]
fn names_of_any_length_do_not_make_a_program_a_damaged_one() {
    let place = Workplace::new();
    let name = "f".repeat(5_000);
    place.write("prog.c", format!("void {name}(void) {{}}\nint main(void) {{ {name}(); }}\n"));
    place.must("cc -pg prog.c -o prog");
    place.gmon("run ./prog").assert().success().stderr(contains("2 calls of 2 functions"));
}

#[test]
fn what_is_no_program_is_called_what_it_is() {
    let place = with_program();
    place.must("cc -c prog.c");
    place.write_executable("text", "a text\n");
    place.write_executable("empty", "");
    check(&place, "./prog.o", "is an object file; link it with gmon cc");
    check(&place, "./text", "./text is neither a program nor a source");
    check(&place, "./text", "name its shell (gmon run sh FILE)");
    check(&place, "./empty", "./empty is neither a program nor a source");
    check(&place, "./", "./ is neither a program nor a source");
    place.must("mkfifo pipe");
    place.must("chmod +x pipe");
    check(&place, "./pipe", "./pipe is a pipe or a device; name the file of a program");
    check(&place, "/dev/null", "/dev/null is a pipe or a device; name the file of a program");
    check(&place, "./missing", "./missing: No such file or directory");
    check(&place, "missing", "missing is not in PATH; give the path of a program");
    place.write("main.rs", "fn main() {}\n");
    check(&place, "main.rs", "main.rs: Rust programs are built and run by cargo gmon run");
    check(&place, "text", "text is not in PATH; for the file in this folder say ./text");
}

#[test]
fn damaged_and_foreign_programs_are_refused() {
    let place = with_program();
    place.must("cc -O2 -pg prog.c -o prog");
    let program = fs::read(place.path("prog")).expect("program");
    let check_bytes = |bytes: &[u8], text| {
        fs::write(place.path("changed"), bytes).expect("write");
        check(&place, "./changed", text);
    };
    let mut foreign = program.clone();
    foreign[18] ^= 0xff;
    check_bytes(&foreign, "was built for another kind of machine");
    let mut word_size = program.clone();
    word_size[4] = 1;
    check_bytes(&word_size, "was built for another kind of machine");
    check_bytes(&program[..100], "is a damaged ELF file");
    check_bytes(&program[..18], "was built for another kind of machine");
    check_bytes(&program[..program.len() - 100], "is a damaged ELF file");
}

#[test]
fn what_may_not_be_executed_is_an_error() {
    let place = with_program();
    place.must("cc -O2 -pg prog.c -o prog");
    fs::set_permissions(place.path("prog"), fs::Permissions::from_mode(0o644)).expect("mode");
    check(&place, "./prog", "cannot run ./prog: Permission denied");
}

#[test]
fn nothing_is_preloaded_into_set_id_programs() {
    let place = with_program();
    place.must("cc -O2 -pg prog.c -o prog");
    if chown(place.path("prog"), Some(12345), None).is_err() {
        return skip_anywhere("only root can make a program that is another user's");
    }
    fs::set_permissions(place.path("prog"), fs::Permissions::from_mode(0o4755)).expect("mode");
    let run = place.gmon("run ./prog 5").assert().code(5);
    run.stderr(contains("./prog is a set-id program, into which nothing is preloaded"));
}

/// Runs `gmon run ./prog 5` as a user without any right.
fn as_nobody(place: &Workplace) -> std::process::Command {
    let mut command = std::process::Command::new("setpriv");
    // The folder of the build may be root's alone.
    fs::copy(GMON, place.path("gmon")).expect("a copy");
    command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", "./gmon"]);
    command.args(["run", "-o", "theirs/gmon.out", "./prog", "5"]).current_dir(place.path(""));
    command.env("XDG_CACHE_HOME", place.path("theirs")).env_remove("GMON_OPTIONS");
    command
}

#[test]
fn programs_of_which_little_can_be_said_are_run_by_users_without_rights() {
    if !nix::unistd::geteuid().is_root() {
        return skip_anywhere("only root can become another user");
    }
    let place = with_program();
    place.must("cc -O2 -pg prog.c -o prog");
    fs::set_permissions(place.path(""), fs::Permissions::from_mode(0o755)).expect("mode");
    fs::create_dir(place.path("theirs")).expect("a folder");
    chown(place.path("theirs"), Some(65534), Some(65534)).expect("another owner");
    // It may be run, and not read.
    fs::set_permissions(place.path("prog"), fs::Permissions::from_mode(0o711)).expect("mode");
    as_nobody(&place).assert().code(5).stderr(contains("prog: Permission denied"));
    fs::set_permissions(place.path("prog"), fs::Permissions::from_mode(0o755)).expect("mode");
    let set = place.command("setcap").args(["cap_net_raw+ep", "prog"]).status();
    if !set.is_ok_and(|status| status.success()) {
        return skip_anywhere("no file here can have capabilities");
    }
    let said = contains("./prog has capabilities, so nothing is preloaded into it");
    as_nobody(&place).assert().code(5).stderr(said);
}

#[test]
fn a_cache_that_cannot_be_named_in_ld_preload_is_an_error() {
    let place = with_program();
    place.must("cc -O2 -pg prog.c -o prog");
    for name in ["with space", "with:colon"] {
        let run = place.gmon("run ./prog").env("XDG_CACHE_HOME", place.path(name)).assert();
        run.code(1).stderr(contains("cannot be preloaded").and(contains("set XDG_CACHE_HOME")));
    }
}

#[test]
fn a_run_without_a_profile_is_no_success_of_the_summary() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        "#include <signal.h>\nint main(int n, char **v) { if (n > 1) raise(SIGKILL); return 5; }\n",
    );
    place.must("cc -O2 -pg prog.c -o prog");
    let run = place.gmon("run ./prog kill").assert().code(137);
    run.stderr(
        "gmon: there is no profile: ./prog was killed by SIGKILL; \
         GMON_OPTIONS=live=FILE keeps the counts for `gmon recover FILE`\n",
    );
    // An earlier profile is not this run's.
    place.gmon("run ./prog").assert().code(5).stderr(contains("1 call of 1 function"));
    let run = place.gmon("run ./prog kill").assert().code(137);
    run.stderr(contains("killed by SIGKILL; gmon.out is of an earlier run; "));
}

#[test]
fn a_page_that_cannot_be_written_is_told_before_the_run() {
    let place = with_program();
    place.write_executable("script", "#!/bin/sh\ntouch was-run\n");
    fs::create_dir(place.path("folder")).expect("a folder");
    for page in ["none/page.html", "folder"] {
        let said = contains(format!("gmon: cannot write {page}: ")).and(contains("\n").count(1));
        let run = place.gmon("run --html").arg(page).arg("./script").assert().code(1);
        run.stdout("").stderr(said);
        assert!(!place.exists("was-run"));
    }
}

/// `--report ./prog input` has forgotten the name of the report.
#[test]
fn no_output_replaces_what_was_to_be_run() {
    let place = with_program();
    place.must("cc -O2 -pg prog.c -o prog");
    place.gmon("run --report - ./prog 5").assert().code(5).stdout(contains("4 calls of 2"));
    place.must("cp gmon.out data");
    let before = fs::read(place.path("prog")).expect("the program");
    for line in [
        "run --report prog ./prog",
        "run --html prog ./prog",
        "run -o prog ./prog",
        "report --html prog prog data",
        "diff --html prog --base-program prog --new-program prog data data",
        "merge -o prog data",
        "recover -o prog data",
        "export --format json -o prog prog data",
        "bbconv -o prog /dev/null",
    ] {
        let refused = place.gmon(line).assert().failure().stdout("");
        refused.stderr(contains("prog is a program").and(contains("\n").count(1)));
        assert!(fs::read(place.path("prog")).expect("the program") == before, "{line}");
    }
    place.write_executable("script", "#!/bin/sh\n");
    let refused = place.gmon("run --report ./script missing").assert().code(1);
    refused.stderr(contains("missing is not in PATH"));
    assert_eq!(place.read("script"), "#!/bin/sh\n");
    let refused = place.gmon("merge -o - data").assert().code(1).stdout("");
    refused.stderr(contains("written to a file only"));
    let exported = place.gmon("export --format json -o - prog data").assert();
    exported.success().stdout(contains("work"));
    assert!(!place.exists("-"));
}

/// A profile with call stacks is worth more than the one that comes after it.
#[test]
fn a_run_without_stacks_keeps_the_stacks_of_an_earlier_one() {
    let place = with_program();
    place.must("cc -O2 -pg prog.c -o prog");
    place.write("prof.full", "an earlier run's");
    let run = place.gmon("run --no-stacks -o prof ./prog 5").assert().code(5);
    run.stderr(contains("prof.full is of an earlier run; name prof.full to read that\n"));
    assert_eq!(place.read("prof.full"), "an earlier run's");
}
