//! Hooks that sleep until somebody wakes them: `gmon cc --dormant`, `gmon ctl --hooks` and `GMON_OPTIONS=hooks`.

use std::fs;

use assert_cmd::prelude::*;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use super::{
    SUITE,
    steered::{Running, THREADS, is_between},
};
use support::{
    compilers::{GCC, installed_for},
    modes::mode,
    program::Program,
    switches, tools,
    workplace::Workplace,
};

fn build(source: &str, mode_name: &str) -> Program {
    SUITE.build_by(GCC, source, mode(mode_name), &["-pthread"])
}

#[test]
fn counts_are_those_of_the_time_when_hooks_were_awake() {
    const ROUNDS: usize = 5;
    let ways = [("", "dormant"), (",paused", "dormant, static"), (",stacks", "dormant")];
    for &(options, mode) in tools::shared_out(&ways, "ways to start") {
        let program = build("steered.c", mode);
        let running = Running::start(&program, THREADS, options);
        assert_eq!(running.counted(), 0, "{options}");
        for _ in 0..ROUNDS {
            let before = running.counted();
            let on = running.own();
            running.must("on --hooks wor?");
            let was_on = running.own();
            let status = running.ctl("status").assert().success();
            status.stdout(contains("): on, ")).stdout(contains("hooks    1 awake"));
            let off = running.own();
            running.must("off --hooks *");
            let was_off = running.own();
            // A thread may have been in the hook when it was put to sleep before, and may be again.
            is_between(running.counted() - before, off - was_on, was_off - on + THREADS);
        }
        running.ctl("status").assert().success().stdout(contains("): on, "));
        running.finish();
    }
}

/// Hooks are switched on 10,000 times, and off as often, under threads that call them all the time. Nothing is lost of what was awake for
/// all of it.
#[test]
fn switches_do_not_disturb_threads() {
    switches::check(&build("dormant.c", "dormant"), tools::rounds(2000));
}

#[test]
fn code_that_may_not_be_changed_stays_as_it_is() {
    let flags = ["-pthread", "-DFIXED"];
    let program = SUITE.build_by(GCC, "dormant.c", mode("dormant"), &flags);
    let running = Running::start(&program, 1, "");
    let said = "the system does not let it change its code";
    running.ctl("on --hooks always --wait 100").assert().code(1).stderr(contains(said));
    running.ctl("status").assert().success().stdout(contains("counted  0 calls"));
    running.finish();
}

/// A program in C++ whose functions are templates, inline and in a class.
const CLASSES: &str = concat!(
    include_str!("../../../examples/c/counted.h"),
    r#"
struct Parser {
    int lines = 0;
    COUNTED void line(int n) { lines += n; asm volatile("" ::: "memory"); }
    COUNTED void word(char) { asm volatile("" ::: "memory"); }
};
template <class T> COUNTED T twice(T x) { asm volatile("" ::: "memory"); return x + x; }
int main()
{
    Parser parser;
    for (int i = 0; i < 7; i++)
        parser.line(twice(i)), parser.word('x');
    return parser.lines == 42 ? 0 : 1;
}
"#
);

#[test]
fn functions_are_woken_from_the_start_by_name() {
    let place = Workplace::new();
    place.write("classes.cc", CLASSES);
    for compiler in installed_for("classes.cc") {
        for how in [
            "-O2",
            "-O3 -static",
            "-O2 -Wl,--emit-relocs",
            "-O2 -no-pie -fno-pie",
            "-O2 -ffunction-sections -Wl,--gc-sections",
        ] {
            let mut cc = place.gmon("cc --dormant");
            cc.arg(compiler.cxx).args(how.split(' ')).args(["classes.cc", "-o", "classes"]);
            cc.assert().success().stdout("").stderr("");
            let run = |options: &str| {
                _ = fs::remove_file(place.path("gmon.out"));
                let mut run = place.command("./classes");
                run.env("GMON_OPTIONS", options).assert().success().stderr("");
                let counts = place.counts("classes");
                ["_ZN6Parser4lineEi", "_ZN6Parser4wordEc", "_Z5twiceIiET_S0_", "main"]
                    .map(|name| counts.calls(name))
            };
            assert_eq!(run("hooks=*"), [7, 7, 7, 1], "{how}");
            assert_eq!(run("hooks=*line*,*twice*"), [7, 0, 7, 0], "{how}");
            assert_eq!(run("hooks=main,quiet"), [0, 0, 0, 1], "{how}");
            assert_eq!(run("stacks"), [0, 0, 0, 0], "{how}");
            _ = fs::remove_file(place.path("gmon.out.full"));
        }
    }
}

/// A linked program is changed by its name, which has many spellings.
#[test]
fn hooks_sleep_in_a_program_however_it_is_named() {
    let place = Workplace::new();
    place.write("prog.c", "int main(void) { return 0; }\n");
    place.write("words", "-O1 --output=prog");
    for compiler in installed_for("prog.c") {
        for how in [
            "--output=prog",
            "-Wl,-o,prog",
            "-Wl,--output=prog",
            "-Xlinker -o -Xlinker prog -o other",
            "-Wl,@words",
            "@words",
        ] {
            let mut cc = place.gmon("cc --dormant");
            cc.arg(compiler.c).arg("prog.c").args(how.split(' '));
            cc.assert().success().stdout("").stderr("");
            let mut run = place.command("./prog");
            run.env("GMON_OPTIONS", "hooks=*").assert().success().stderr("");
            assert_eq!(place.calls("prog", "main"), 1, "{how}");
            ["prog", "gmon.out"].iter().for_each(|it| fs::remove_file(place.path(it)).expect(it));
        }
    }
    // A question to the linker leaves nothing to change.
    place.gmon("cc --dormant gcc prog.c -Wl,--version").assert().success();
    place.write_executable("gcc", "#!/bin/sh\n");
    let said = "gmon: no prog was linked: its hooks cannot be put to sleep\n";
    place.gmon("cc --dormant ./gcc prog.o -o prog").assert().code(1).stderr(said);
}

/// Without options the program runs as if no runtime was in it.
#[test]
fn program_that_sleeps_leaves_nothing() {
    let place = Workplace::new();
    place.write("prog.c", "int main(void) { return 3; }\n");
    place.gmon("cc --dormant gcc -O2 -c prog.c").assert().success().stdout("").stderr("");
    place.gmon("cc --dormant gcc prog.o").assert().success().stdout("").stderr("");
    place.command("./a.out").assert().code(3).stdout("").stderr("");
    assert_eq!(place.files(), ["a.out", "prog.c", "prog.o"]);
    let doctor = place.gmon("doctor ./a.out").output().expect("gmon doctor");
    let said = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(said.contains("was built with --dormant"), "{said}");
    // Nor does a profile of it have calls until a hook is awake, and whoever looks at it hears why.
    place.write(
        "work.c",
        "static volatile unsigned sum;\n__attribute__((noinline)) static void work(void) { for (int i = 0; i < 1000; i++) sum += i; }\n\
         int main(void) { for (int i = 0; i < 300000; i++) work(); return 0; }\n",
    );
    place.gmon("cc --dormant gcc -O2 work.c -o work").assert().success().stdout("").stderr("");
    let remedy =
        "\nwake functions with GMON_OPTIONS='hooks=*', or while it runs with gmon ctl PID on";
    let tells = |words: &str| {
        let output = place.gmon(words).output().expect("gmon");
        let said =
            [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
        let is_told =
            said.iter().any(|it| it.contains("its hooks were asleep") && it.contains(remedy));
        assert!(output.status.success() && is_told, "{words}: {said:?}");
    };
    for stacks in ["", "--no-stacks "] {
        tells(&format!("run {stacks}./work"));
        tells("report work");
        _ = fs::remove_file(place.path("gmon.out.full"));
    }
    let doctor = place.gmon("doctor ./work gmon.out").output().expect("gmon doctor");
    let said = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(
        said.contains("has no calls: the hooks of the functions that ran were asleep"),
        "{said}"
    );
    let mut run = place.gmon("run ./work");
    run.env("GMON_OPTIONS", "hooks=work").assert().success().stderr(
        contains("300,000 calls of 1 function").and(contains("functions whose hooks were asleep")),
    );
    // Its status, if it fails, is the compiler's.
    place.gmon("cc --dormant gcc missing.o").assert().code(1).stderr(contains("missing.o"));
}

#[test]
fn what_cannot_be_woken_is_told() {
    let place = Workplace::new();
    place.write("prog.c", "int main(void) { return 0; }\n");
    place.gmon("cc gcc prog.c -o awake").assert().success();
    place.gmon("cc --dormant gcc prog.c -o asleep").assert().success();
    place.must("strip -o stripped asleep");
    for (program, options, said) in [
        ("awake", "hooks=main", "gmon: hooks: the program was not built with --dormant"),
        ("asleep", "hooks=nain", "gmon: hooks: no function with a hook fits `nain`"),
        ("asleep", "hooks", "gmon: GMON_OPTIONS: `hooks`: hooks must be names of functions"),
        ("stripped", "hooks=main", "gmon: hooks: the program has no symbols"),
    ] {
        let mut run = place.command(place.path(program));
        run.env("GMON_OPTIONS", options).assert().success().stderr(contains(said));
    }
    let running = |program: &str| {
        let mut ctl = place.gmon("cc --dormant");
        ctl.arg(program);
        ctl
    };
    running("arm-linux-gnueabihf-gcc").arg("-c").arg("prog.c").assert().code(1);
    running("gnatmake").arg("prog.adb").assert().code(1).stderr(contains("gnatmake calls several"));

    let program = build("steered.c", "dormant");
    let running = Running::start(&program, 1, "");
    let told = |words: &str, status: i32, said: &str| {
        running.ctl(words).assert().code(status).stderr(contains(said.to_owned()));
    };
    told("on --hooks worg", 1, "that was compiled with --dormant fits worg");
    told("on --hooks work,puts", 1, "fits puts");
    told("status --hooks work", 2, "--hooks is for gmon ctl on and off");
    told("on --hooks=", 2, "--hooks");
    running.finish();
    let awake = SUITE.build("steered.c", "default", &["-pthread"]);
    let running = Running::start(&awake, 1, "");
    let said = "was not built with --dormant: it has no hooks that sleep";
    running.ctl("on --hooks work").assert().code(1).stderr(contains(said));
    running.finish();
}
