//! A program that is killed at a random moment: the file says what the program itself wrote down.

use std::{
    collections::BTreeSet,
    fs,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use fastrand::Rng;
use gmon_format::live::{Label, Live};

use super::SUITE;
use support::{
    command::{gmon, output_of},
    program::Program,
    tools,
};

/// Kills in each mode: 200 in all, on a desk those of one mode.
const ROUNDS: [(&str, u32); 3] = [("default", 100), ("static", 50), ("preloaded", 50)];

/// The longest life of a program, behind some times what it took one to begin to count. New arcs and new tables come up
/// in the first part of it.
const LONGEST: Duration = Duration::from_millis(25);

/// The program's functions, in the order of its log, each with the number of threads that may call it
/// at the same time.
const FUNCTIONS: [(&str, u64); 6] =
    [("first", 1), ("second", 1), ("third", 1), ("fourth", 1), ("handled", 6), ("brief", 1)];

#[test]
fn counts_are_those_that_the_program_wrote_down() {
    kill_at_random("live=profile.live", |_, _| {});
}

/// Samples per second, as many as can be.
const HZ: u32 = 10_000;

/// The stacks are whole too, each with all of its callers, and stand for no more time than there was.
#[test]
fn stacks_are_whole_whenever_the_program_is_killed() {
    let (mut killed, mut sampled) = (0, 0);
    kill_at_random(&format!("live=profile.live,stacks,hz={HZ}"), |program, lived| {
        killed += 1;
        let Ok(bytes) = fs::read(program.path("profile.live")) else { return };
        let Ok(live) = Live::new(&bytes) else { return };
        let threads: BTreeSet<u64> = live.threads().map(|(number, _)| number).collect();
        let mut samples = 0;
        for forest in live.stacks() {
            for (position, node) in forest.iter() {
                let path: Vec<_> = forest.path(position).collect();
                let [.., thread, label] = path[..] else {
                    // The label of all threads, or of one that has got no further.
                    assert!(path.len() == 1 && node.weight == 0, "{node:?}");
                    continue;
                };
                assert_eq!(label.pc, Label::Thread.pc(), "{path:?}");
                assert!(threads.contains(&thread.pc.0), "{thread:?} of {threads:?}");
                assert!(path.iter().all(|node| node.pc.0 != 0), "{path:?}");
                samples += node.weight;
            }
        }
        // Modules are listed before the first sample comes.
        if live.modules().next().is_none() {
            assert_eq!(samples, 0);
            return;
        }
        let processors = thread::available_parallelism().map_or(1, usize::from);
        // A thread's first sample stands for half a scheduler's tick more, in which it may have ended unseen.
        let rounding = 1.0 + 0.005 * f64::from(HZ);
        let most = lived.as_secs_f64() * processors as f64 * f64::from(HZ)
            + threads.len() as f64 * rounding;
        assert!(samples as f64 <= most, "{samples} samples in {lived:?}");
        if samples == 0 {
            return;
        }
        sampled += 1;
        // What is made of the file has them all.
        let full = fs::read(program.path("gmon.out.full"));
        let full = full.unwrap_or_else(|error| panic!("gmon.out.full: {error}"));
        let full = Live::new(&full).unwrap_or_else(|error| panic!("gmon.out.full: {error}"));
        let weights = |live: &Live<'_>| -> u64 {
            let nodes = live.stacks().flat_map(|forest| forest.iter());
            nodes.map(|(_, node)| node.weight).sum()
        };
        assert_eq!(weights(&full), samples);
    });
    // The scheduler looks at the threads first after some milliseconds.
    assert!(sampled * 10 > killed, "of {killed} programs only {sampled} were sampled");
}

/// Kills programs that run with these options; `check` gets each, and how long it lived.
fn kill_at_random(options: &str, mut check: impl FnMut(&Program, Duration)) {
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock").as_nanos();
    let mut random = Rng::with_seed(clock as u64);
    println!("the random numbers begin with {}", random.get_seed());
    for &(mode, rounds) in tools::shared_out(&ROUNDS, "modes") {
        let program = SUITE.build("storm.c", mode, &[]);
        // The machine may be slower than when the time was taken: so it is taken again.
        let mut lived = (0..5).map(|_| {
            let longest = LONGEST + 2 * time_to_count(&program, options);
            let lived = (0..rounds).filter(|_| {
                let life = longest.mul_f64(random.f64());
                let (has_counted, lived) = kill_after(&program, life, options);
                check(&program, lived);
                has_counted
            });
            lived.count()
        });
        assert!(lived.any(|lived| lived > rounds as usize / 5), "{mode}: few came to count");
    }
}

/// How long it takes the program to count its first call: a few milliseconds, or many on a busy machine.
fn time_to_count(program: &Program, options: &str) -> Duration {
    program.clear();
    let start = Instant::now();
    let mut child = start_storm(program, options).spawn().expect("a program");
    let has_counted = || {
        let log = fs::read(program.path("log")).unwrap_or_default();
        log.first_chunk().is_some_and(|calls| u64::from_ne_bytes(*calls) != 0)
    };
    while !has_counted() {
        assert_eq!(child.try_wait().expect("a child"), None, "the program has ended");
        thread::sleep(Duration::from_millis(1));
    }
    let took = start.elapsed();
    child.kill().expect("a living program");
    child.wait().expect("a dead program");
    took
}

fn start_storm(program: &Program, options: &str) -> Command {
    let mut command = program.command();
    command.arg("log").env("GMON_OPTIONS", options).stderr(Stdio::inherit());
    command
}

/// Kills the program and compares. Whether it had counted anything, and how long it lived.
fn kill_after(program: &Program, life: Duration, options: &str) -> (bool, Duration) {
    program.clear();
    let start = Instant::now();
    let mut child = start_storm(program, options).spawn().expect("a program");
    thread::sleep(life);
    child.kill().expect("a living program");
    child.wait().expect("a dead program");
    let lived = start.elapsed();

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
        return (false, lived);
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
    (log.first().is_some_and(|calls| *calls != 0), lived)
}
