//! Times of calls that are switched on and off while the program runs: `gmon ctl --times`.

use std::env;

use assert_cmd::prelude::*;
use predicates::{prelude::PredicateBooleanExt, str::contains};

use super::{SUITE, steered::Running, steps::LIVE};
use support::{call_times::times_of, compilers::GCC, modes::mode, program::Program, switches};

const THREADS: u64 = 8;

/// Switches in the suite. More are asked for by the variable, which nothing in the suite sets.
const ROUNDS: u32 = 400;
const MORE: &str = "GMON_TIMES_SWITCHED";

fn build(mode_name: &str) -> Program {
    SUITE.build_by(GCC, "times_switched.c", mode(mode_name), &["-pthread"])
}

#[test]
fn no_time_is_wrong_however_often_times_are_switched() {
    let rounds = env::var(MORE).ok().and_then(|it| it.parse().ok()).unwrap_or(ROUNDS);
    switches::check_times(&build("dormant"), rounds);
}

#[test]
fn users_switch_times_and_are_told_what_is_wrong() {
    let program = build("dormant, static");
    let running = Running::start(&program, THREADS, ",stacks");
    running.must("on --times l*");
    let status = running.ctl("status").assert().success();
    status.stdout(contains("hooks    4 awake").and(contains("times    of 4 functions")));
    // A function whose hook sleeps is not timed.
    running.must("off --hooks leads");
    running.ctl("status").assert().success().stdout(contains("times    of 3 functions"));
    // Who wanted a hook awake finds it awake.
    running.must("on --hooks last");
    running.must("off --times *");
    let status = running.ctl("status").assert().success();
    status.stdout(contains("hooks    1 awake").and(contains("times").not()));
    for (words, code, said) in [
        ("on --times none", 1, "no function of program"),
        ("on --times last --hooks last", 2, "cannot be used with"),
        ("status --times last", 2, "--times is for gmon ctl on and off"),
    ] {
        running.ctl(words).assert().code(code).stderr(contains(said));
    }
    running.finish();

    let running = Running::start(&program, THREADS, "");
    let said = "records no call stacks, without which there are no times";
    running.ctl("on --times last").assert().code(1).stderr(contains(said));
    running.finish();
}

/// Functions that come later get room of their own; what those before them have is kept, also that of threads which have ended.
#[test]
fn functions_are_added_one_by_one_while_threads_come_and_go() {
    const ALL: usize = 40;
    let program = SUITE.build_by(GCC, "times_many.c", mode("dormant"), &["-pthread"]);
    let running = Running::start(&program, 3, ",stacks,hz=1000");
    for n in 0..ALL {
        running.must(&format!("on --times f{}", n + 10));
    }
    let status = running.ctl("status").assert().success();
    status.stdout(contains(format!("times    of {ALL} functions")));
    let before = program.recovered(LIVE).calls("f49");
    while program.recovered(LIVE).calls("f49") == before {}
    running.finish();
    let names: Vec<&str> = (0..ALL).map(|n| &*format!("f{}", n + 10).leak()).collect();
    let (times, counts) = (times_of(&program, &names), program.counts("gmon.out"));
    for name in &names {
        let it = times.get(name).unwrap_or_else(|| panic!("no {name}"));
        assert!(it.timed > 0, "{name}");
        if it.every == 1 {
            let seen = it.timed + it.without_end;
            assert!(seen <= counts.calls(name), "{name}: {seen} of {}", counts.calls(name));
        }
    }
}
