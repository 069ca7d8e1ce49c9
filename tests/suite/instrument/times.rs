//! Times of calls in programs whose functions call hooks at both ends.

use support::{
    call_times::{check_frames, check_instrumented, times_of},
    command::{said, text_of},
    compilers::{COMPILERS, GCC},
    modes::OTHER_HOOKS,
    tools,
    workplace::Workplace,
};

use super::{MODES, Mode};
use crate::live::steered::Running;
use crate::live::times::times_are_the_programs_own;

const HOOKS: &[&str] = &["-finstrument-functions"];

#[test]
fn calls_that_end_are_timed_and_others_are_not() {
    for compiler in COMPILERS.iter().filter(|it| ["gcc", "clang"].contains(&it.name)) {
        if tools::find(compiler.cxx).is_none() {
            continue;
        }
        let modes = MODES.iter().filter(|mode| OTHER_HOOKS.contains(&mode.name));
        for mode in modes.filter(|mode| mode.suits(compiler)) {
            let mode = Mode { hooks: HOOKS, ..*mode };
            let program = crate::live::SUITE.build_by(compiler, "times.cc", &mode, &["-pthread"]);
            check_instrumented(&program, compiler.name);
        }
    }
}

#[test]
fn times_are_those_that_the_program_measures() {
    if tools::find("g++").is_none() {
        return;
    }
    let mode = MODES.iter().find(|mode| mode.name == OTHER_HOOKS[0]).expect("a mode");
    let mode = Mode { hooks: HOOKS, ..*mode };
    let program = crate::live::SUITE.build_by(GCC, "times.cc", &mode, &["-pthread"]);
    times_are_the_programs_own(&program);
}

#[test]
fn programs_of_gmon_cc_are_timed() {
    for compiler in COMPILERS.iter().filter(|it| ["gcc", "clang"].contains(&it.name)) {
        if tools::find(compiler.c).is_none() {
            continue;
        }
        check_frames(compiler, &["-O0"]);
        check_frames(compiler, &["-O2"]);
        if compiler.name == "gcc" {
            check_frames(compiler, &["-O2", "-flto"]);
        }
    }
}

#[test]
fn calls_are_timed_while_the_program_runs() {
    let mode = MODES.iter().find(|mode| mode.name == OTHER_HOOKS[0]).expect("a mode");
    let mode = Mode { hooks: HOOKS, ..*mode };
    let program = crate::live::SUITE.build_by(GCC, "steered.c", &mode, &["-pthread"]);
    let running = Running::start(&program, 2, ",stacks");
    running.must("on --times work");
    running.must("off --times work");
    let refused = running.ctl("on --hooks work").output().expect("gmon");
    assert!(said(&refused).contains("was not built with --dormant"), "{refused:?}");
    let refused = running.ctl("on --times nothing").output().expect("gmon");
    assert!(said(&refused).contains("no function of program"), "{refused:?}");
    running.finish();
    let times = times_of(&program, &["work"]);
    let work = &times["work"];
    assert!(work.timed > 0 && work.timed <= program.counts("gmon.out").calls("work"));
}

#[test]
fn what_cannot_be_built_is_refused_and_the_doctor_knows_what_can_be_timed() {
    let place = Workplace::new();
    place.write("prog.c", "int main(void) { return 0; }\n");
    for (words, complaint) in [
        ("cc --times --dormant gcc prog.c", "two ways to time calls"),
        ("cc --dormant --times gcc prog.c", "two ways to time calls"),
        ("cc --times ldc2 prog.d", "-finstrument-functions: leave it out"),
    ] {
        let output = place.gmon(words).output().expect("gmon");
        assert!(!output.status.success() && said(&output).contains(complaint), "{output:?}");
    }
    text_of(&mut place.gmon("cc --times gcc prog.c -o prog"));
    let output = place.gmon("doctor ./prog").output().expect("gmon");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("calls of its functions can be timed (--times)"), "{text}");
    let mut run = place.command(place.path("prog"));
    let output = run.env("GMON_OPTIONS", "stacks,times=nain").output().expect("a program");
    assert!(said(&output).contains("times: no function fits `nain`"), "{output:?}");
}
