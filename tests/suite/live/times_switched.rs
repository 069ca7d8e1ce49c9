//! Times of calls that are switched on and off while the program runs: `gmon ctl --times`.

use std::{env, fs, fs::OpenOptions};

use assert_cmd::prelude::*;
use gmon_format::live::Action;
use predicates::{prelude::PredicateBooleanExt, str::contains};

use super::{SUITE, steered::Running, steps::LIVE};
use support::{
    call_times::times_of, compilers::GCC, modes::mode, program::Program, switches::request,
};

/// Functions of the program, in the order of its own numbers.
const FUNCTIONS: [&str; 5] = ["quick", "is_long", "loops", "leaves", "leads"];
const LAST: &str = "last";

const THREADS: u64 = 8;

/// Switches in the suite. More are asked for by the variable, which nothing in the suite sets.
const ROUNDS: u32 = 400;
const MORE: &str = "GMON_TIMES_SWITCHED";

fn build(mode_name: &str) -> Program {
    SUITE.build_by(GCC, "times_switched.c", mode(mode_name), &["-pthread"])
}

/// The program's own numbers of a function: its calls, and nanoseconds of the longest of each thread.
fn own(program: &Program, function: usize) -> (u64, u64) {
    let bytes = fs::read(program.path("own")).expect("a file");
    let word =
        |own: &[u8], at: usize| u64::from_ne_bytes(*own[at..].first_chunk().expect("8 bytes"));
    let own = bytes.chunks(128).take(THREADS as usize);
    own.fold((0, 0), |(calls, longest), own| {
        (calls + word(own, 16 * function), longest.max(word(own, 16 * function + 8)))
    })
}

/// No call that is timed seems to take longer than the program has measured around it, whenever times are switched.
#[test]
fn no_time_is_wrong_however_often_times_are_switched() {
    let rounds = env::var(MORE).ok().and_then(|it| it.parse().ok()).unwrap_or(ROUNDS);
    let program = build("dormant");
    let running = Running::start(&program, THREADS, ",stacks,hz=10000");
    let file = OpenOptions::new().read(true).write(true).open(program.path(LIVE)).expect("a file");
    let all = [&FUNCTIONS[..], &[LAST]].concat();
    let lists: Vec<Vec<u32>> = (0..all.len())
        .map(|first| {
            let some = all.iter().enumerate().filter(|(index, _)| (index + first) % 3 != 0);
            let addresses = some.map(|(_, name)| program.addresses(name));
            addresses.flat_map(|it| [it.start as u32, it.end as u32]).collect()
        })
        .collect();
    let every: Vec<u32> = all
        .iter()
        .map(|name| program.addresses(name))
        .flat_map(|it| [it.start as u32, it.end as u32])
        .collect();
    // Some functions stay on while others go.
    for number in 1..=rounds {
        let list = &lists[number as usize % lists.len()];
        let action = if number % 2 == 1 { Action::Time } else { Action::Untime };
        request(&file, number, action(list.len() as u32), list);
    }
    request(&file, rounds + 1, Action::Time(every.len() as u32), &every);
    running.ctl("status").assert().success().stdout(contains("times    of 6 functions"));
    request(&file, rounds + 2, Action::Untime(every.len() as u32), &every);
    let status = running.ctl("status").assert().success();
    status.stdout(contains("times").not().and(contains("hooks").not()));
    running.finish();

    let times = times_of(&program, &all);
    let counts = program.counts("gmon.out");
    for (function, name) in all.iter().enumerate() {
        let (calls, longest) = own(&program, function);
        let it = times.get(name).unwrap_or_else(|| panic!("no {name}"));
        let counted = counts.calls(name);
        assert!(counted <= calls, "{name}: {counted} of {calls}");
        assert!(it.timed > 0, "{name}");
        // The two clocks differ by 1 part in 2,000.
        let most = longest + longest / 500 + 300;
        assert!(it.longest_ns <= most, "{name}: {} of {longest}", it.longest_ns);
        if it.every == 1 {
            let seen = it.timed + it.without_end;
            assert!(seen <= counted, "{name}: {} + {} of {counted}", it.timed, it.without_end);
        }
        if rounds != ROUNDS {
            eprintln!(
                "{name}: {calls} calls, {counted} counted, {} timed, {} without end, {} of {longest} ns",
                it.timed, it.without_end, it.longest_ns
            );
        }
    }
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
