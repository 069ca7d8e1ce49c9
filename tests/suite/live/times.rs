//! Times of calls: `GMON_OPTIONS=times` in programs whose exits sleep.

use std::fs;

use assert_cmd::prelude::*;
use predicates::str::contains;

use super::SUITE;
use support::{
    call_times::{check_sleeping, run, times_of},
    command::text_of,
    compilers::{GCC, installed_for},
    modes::mode,
    program::Program,
    tools,
    workplace::Workplace,
};

/// Every call that returns is timed, however others end, and no call that does not; counts stay exact. clang before 15
/// leaves room for exits where it cannot make them.
#[test]
fn calls_that_end_are_timed_and_others_are_not() {
    for compiler in installed_for("times.cc") {
        let modes = ["dormant", "dormant, static", "dormant, LTO"].map(mode);
        for mode in modes.into_iter().filter(|mode| mode.suits(compiler)) {
            let flags = ["-pthread", "-foptimize-sibling-calls"];
            check_sleeping(&SUITE.build_by(compiler, "times.cc", mode, &flags), mode.name);
        }
    }
}

/// A program that measures itself finds the same, within the width of a bucket; a function that is called all the time is timed
/// less often, and all its calls count.
#[test]
fn times_are_those_that_the_program_measures() {
    if tools::find("g++").is_none() {
        return;
    }
    let program = SUITE.build_by(GCC, "times.cc", mode("dormant"), &["-pthread"]);
    times_are_the_programs_own(&program);
}

/// Compares the times of a program built of `times.cc` with those that it takes itself.
pub(crate) fn times_are_the_programs_own(program: &Program) {
    let times = run(program, "truth");
    let own = fs::read(program.path("own")).expect("a file");
    let mut own: Vec<_> =
        own.chunks(8).map(|it| i64::from_ne_bytes(*it.first_chunk().expect("8 bytes"))).collect();
    own.sort_unstable();
    let spin = &times["spin"];
    assert_eq!((spin.timed, spin.without_end, spin.every), (1000, 0, 1));
    for part in [0.1, 0.5, 0.75, 0.95] {
        let wanted = own[(part * own.len() as f64) as usize - 1] as f64;
        let found = spin.quantile(part);
        // The program's own clock is read outside, and another thread may run in between.
        assert!((found - wanted).abs() <= 0.035 * wanted + 300.0, "{part}: {found} {wanted}");
    }
    let own_total: i64 = own.iter().sum();
    assert!(
        spin.total_ns <= own_total as u64 + own_total as u64 / 100,
        "{} {own_total}",
        spin.total_ns
    );
    // Each call stands for as many as were to be timed when it began: that may have changed a thousand times inside of it.
    for (function, calls) in [("leaf", 3_000_000), ("descends", 300_000)] {
        let it = &times[function];
        assert!(it.every > 1 && it.timed < calls, "{function}: {} of every {}", it.timed, it.every);
        assert!(it.calls().abs_diff(calls) <= 4096, "{function}: {} of {calls}", it.calls());
        assert_eq!(program.counts("gmon.out").calls(function), calls);
    }
}

/// Coroutines that take turns in the same memory take no call of another for their own: what nobody can tell apart has no end.
#[test]
#[cfg(target_arch = "x86_64")]
fn no_time_is_that_of_another_coroutine() {
    const ROUNDS: u64 = 50;
    let program = SUITE.build("sliced.c", "dormant", &[]);
    program.clear();
    let mut run = program.command();
    assert_eq!(text_of(run.env("GMON_OPTIONS", "stacks,times=waits")), "done\n");
    let times = &times_of(&program, &["waits"])["waits"];
    assert_eq!((times.timed, times.calls()), (ROUNDS, ROUNDS));
    assert!(times.quantile(0.01) > 0.97e6, "{}", times.quantile(0.01));
    assert_eq!(times.without_end, 2 * ROUNDS);
    assert_eq!(program.counts("gmon.out").calls("waits"), 3 * ROUNDS);
}

/// Coroutines with stacks of their own keep their calls while others work.
#[test]
#[cfg(target_arch = "x86_64")]
fn calls_of_coroutines_side_by_side_are_timed() {
    const COROUTINES: u64 = 50;
    const TURNS: u64 = 6;
    let program = SUITE.build("coroutines.c", "dormant", &[]);
    program.clear();
    let mut run = program.command();
    assert_eq!(text_of(run.env("GMON_OPTIONS", "stacks,times=waits,deeper")), "done\n");
    let times = times_of(&program, &["waits", "deeper"]);
    let waits = &times["waits"];
    let ended = COROUTINES * (TURNS - 1);
    // The last call of each has not ended when the program has.
    assert_eq!((waits.timed, waits.calls(), waits.without_end), (ended, ended, COROUTINES));
    // In each call all others have had their turn, each of a tenth of a millisecond.
    let round = (COROUTINES - 1) as f64 * 1e5;
    assert!(waits.quantile(0.01) > 0.97 * round, "{}", waits.quantile(0.01));
    let depths = (0..COROUTINES).map(|which| which % 20 + 1);
    assert_eq!(times["deeper"].without_end, depths.sum::<u64>());
    assert_eq!(program.counts("gmon.out").calls("waits"), COROUTINES * TURNS);
}

/// A coroutine goes on in another thread: a call has a time if it ends where it has begun, and no time of an earlier one that was
/// called from the same place.
#[test]
#[cfg(target_arch = "x86_64")]
fn no_time_is_that_of_a_call_that_ended_in_another_thread() {
    const CALLS: u64 = 100;
    let program = SUITE.build("wandering.c", "dormant", &["-pthread"]);
    program.clear();
    let mut run = program.command();
    assert_eq!(text_of(run.env("GMON_OPTIONS", "stacks,times=waits")), "done\n");
    let times = &times_of(&program, &["waits"])["waits"];
    // Of two calls one ends in the same thread.
    assert_eq!((times.timed, times.calls()), (CALLS / 2, CALLS / 2));
    assert_eq!(times.without_end, CALLS / 2);
    assert_eq!(program.counts("gmon.out").calls("waits"), CALLS);
}

/// Calls are timed also after a handler has left a hook by a jump.
#[test]
fn handlers_leave_hooks_by_jumps() {
    const CALLS: u64 = 300;
    let program = SUITE.build("left.c", "dormant", &[]);
    for _ in 0..3 {
        program.clear();
        let mut run = program.command();
        assert_eq!(text_of(run.env("GMON_OPTIONS", "stacks,times=ends,leaves")), "done\n");
        let times = times_of(&program, &["ends", "leaves"]);
        assert_eq!((times["ends"].timed, times["ends"].without_end), (CALLS, 0));
        assert_eq!(times["leaves"].timed, 0);
        assert_eq!(program.counts("gmon.out").calls("ends"), CALLS);
    }
}

#[test]
fn what_cannot_be_timed_is_told() {
    let place = Workplace::new();
    place.write("prog.c", "int main(void) { return 0; }\n");
    place.gmon("cc gcc prog.c -o awake").assert().success();
    place.gmon("cc --dormant gcc prog.c -o asleep").assert().success();
    for (program, options, said) in [
        ("awake", "times=main", "gmon: times: the program was not built with --dormant"),
        ("asleep", "times=nain", "gmon: times: no function whose exits sleep fits `nain`"),
        ("asleep", "times", "times must be names of functions"),
    ] {
        let mut run = place.command(place.path(program));
        run.env("GMON_OPTIONS", options).assert().success().stderr(contains(said));
    }
}
