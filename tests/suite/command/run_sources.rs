//! `gmon run FILE.c`: compile, run, summarise.

use assert_cmd::prelude::*;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_match};

use super::{PROGRAM, with_program};
use crate::GMON;
use support::tools;
use support::workplace::Workplace;

#[test]
fn one_command_compiles_runs_and_summarises() {
    let place = with_program();
    let run = place.gmon("run prog.c").assert().success().stdout("");
    run.stderr(
        contains("4 calls of 2 functions")
            .and(
                is_match(r"(?m)^ +\d+\.\d+ +\d+\.\d .* 3 +(\S+ \S+ +|- +)?work$").expect("pattern"),
            )
            .and(is_match(r"(?m)^profile +gmon\.out$").expect("pattern"))
            .and(contains("gmon gprof a.out gmon.out")),
    );
    // gprof finds program and data by their default names.
    place.gmon("gprof -b").assert().success().stdout(contains("work"));
    assert_eq!(place.calls("a.out", "work"), 3);
}

#[test]
fn arguments_after_two_dashes_are_the_programs() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        "#include <stdio.h>\n\
         int main(int n, char **v) { for (int i = 1; i < n; i++) puts(v[i]); return n; }\n",
    );
    let run = place.gmon("run prog.c -- -o --top -- last").assert().code(5);
    run.stdout("-o\n--top\n--\nlast\n");
    place.gmon("run prog.c").assert().code(1).stdout("");
}

#[test]
fn standard_input_is_the_programs() {
    let place = Workplace::new();
    place.write(
        "prog.c",
        "#include <stdio.h>\nint main(void) { int c; while ((c = getchar()) != EOF) putchar(c); }\n",
    );
    let run = assert_cmd::Command::from_std(place.gmon("run prog.c"))
        .write_stdin("from\nstdin\n")
        .assert();
    run.success().stdout("from\nstdin\n");
}

#[test]
fn compiler_arguments_stand_with_the_sources() {
    let place = Workplace::new();
    place.write("include/name.h", "#define STATUS 7\n");
    place.write(
        "main.c",
        "#include \"name.h\"\nint other(void); int main(void) { return other(); }\n",
    );
    place.write("other.c", "#include <math.h>\nint other(void) { return ceil(sqrt(VALUE)); }\n");
    let mut run =
        place.gmon("run --program prog main.c other.c -Iinclude -fno-builtin -DVALUE=9 -lm");
    run.assert().code(3);
    assert_eq!(place.calls("prog", "other"), 1);
    assert!(!place.exists("a.out"));
}

#[test]
fn languages_may_be_mixed() {
    if tools::find("c++").is_none() {
        return;
    }
    let place = Workplace::new();
    // `new` is a word of C++ only.
    place.write("part.c", "int part(int new) { return new + 1; }\n");
    place.write(
        "main.cpp",
        "#include <string>\nextern \"C\" int part(int);\n\
         __attribute__((noinline)) std::string twice(std::string s) { return s + s; }\n\
         int main() { return part(static_cast<int>(twice(\"ab\").size())) == 5 ? 0 : 1; }\n",
    );
    place.gmon("run part.c main.cpp").assert().success().stderr(contains("twice"));
    place.gmon("run main.cpp part.c").assert().success();
}

#[test]
fn the_compiler_comes_from_the_environment() {
    let place = with_program();
    place.write_executable("chosen", "#!/bin/sh\necho \"$@\" > words\nexec cc \"$@\"\n");
    place.gmon("run prog.c -O0").env("CC", "./chosen -std=gnu11").assert().success();
    let words = place.read("words");
    assert!(words.starts_with("-std=gnu11 -O2 -g -pg prog.c -O0"), "{words}");
    // The wrapper adds nothing to what is there already.
    place.gmon("run prog.c").env("CC", format!("{GMON} cc gcc")).assert().success();
    assert_eq!(place.calls("a.out", "work"), 3);
}

#[test]
fn programs_with_the_ending_of_a_source_are_run() {
    let place = with_program();
    place.gmon("cc cc -O0 -pg prog.c -o prog.m").assert().success();
    place.gmon("run ./prog.m").assert().success();
    assert_eq!(place.calls("prog.m", "work"), 3);
}

#[test]
fn sources_that_do_not_compile_are_not_run() {
    let place = Workplace::new();
    place.write("bad.c", "int main(void) { return undeclared; }\n");
    let run = place.gmon("run bad.c").assert().code(1).stdout("");
    run.stderr(contains("undeclared").and(contains("\ngmon: cc did not compile")));
    place.write("prog.c", PROGRAM);
    let run = place.gmon("run prog.c").env("CC", "no-such-cc").assert().code(1);
    let said = contains("gmon: cannot run the compiler no-such-cc (install it, or set CC): ");
    run.stderr(said.and(contains("\n").count(1)));
    let run = place.gmon("run no-such.c").assert().code(1);
    run.stderr(contains("no-such.c").and(contains("gmon: cc did not compile")));
}
