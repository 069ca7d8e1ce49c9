//! A program that is killed at a random moment: the file says what the program itself wrote down.

use std::{
    fs,
    process::Stdio,
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use fastrand::Rng;

use super::SUITE;
use support::{
    command::{gmon, output_of},
    program::Program,
};

/// How often the program is killed in each mode: 200 times in all.
const ROUNDS: [(&str, u32); 3] = [("default", 100), ("static", 50), ("preloaded", 50)];

/// The longest life of a program. New arcs and new tables come up in the first part of it.
const LONGEST: Duration = Duration::from_millis(25);

/// The program's functions, in the order of its log, each with the number of threads that may call it
/// at the same time.
const FUNCTIONS: [(&str, u64); 6] =
    [("first", 1), ("second", 1), ("third", 1), ("fourth", 1), ("handled", 6), ("brief", 1)];

#[test]
fn counts_are_those_that_the_program_wrote_down() {
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock").as_nanos();
    let mut random = Rng::with_seed(clock as u64);
    println!("the random numbers begin with {}", random.get_seed());
    for (mode, rounds) in ROUNDS {
        let program = SUITE.build("storm.c", mode, &[]);
        let lived = (0..rounds).filter(|_| {
            let life = LONGEST.mul_f64(random.f64());
            kill_after(&program, life)
        });
        let lived = lived.count();
        assert!(lived > rounds as usize / 2, "{mode}: only {lived} of {rounds} came to count");
    }
}

/// Kills the program and compares. Whether it had counted anything.
fn kill_after(program: &Program, life: Duration) -> bool {
    program.clear();
    let mut command = program.command();
    command.arg("log").env("GMON_OPTIONS", "live=profile.live").stderr(Stdio::inherit());
    let mut child = command.spawn().expect("a program");
    thread::sleep(life);
    child.kill().expect("a living program");
    child.wait().expect("a dead program");

    let log = fs::read(program.path("log")).unwrap_or_default();
    let log: Vec<u64> =
        log.chunks_exact(8).map(|n| u64::from_ne_bytes(n.try_into().expect("8 bytes"))).collect();
    let mut recover = gmon();
    recover.arg("recover").arg(program.path("profile.live"));
    let output = output_of(recover.arg("-o").arg(program.path("gmon.out")));
    if !output.status.success() {
        // Killed before the file was there.
        assert!(
            log.iter().all(|calls| *calls == 0),
            "{:?}",
            String::from_utf8_lossy(&output.stderr)
        );
        return false;
    }
    let counts = program.counts("gmon.out");
    for (i, (function, threads)) in FUNCTIONS.iter().enumerate() {
        let logged = log.get(i).copied().unwrap_or(0);
        let counted = counts.calls(function);
        // A hook counts before the function writes down.
        assert!(
            (logged..=logged + threads).contains(&counted),
            "after {life:?}: {function} was called {logged} times, not {counted}"
        );
    }
    log.first().is_some_and(|calls| *calls != 0)
}
