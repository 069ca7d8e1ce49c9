//! What counting a basic block costs: `cargo bench --bench blocks [-- --check]`.
//!
//! We run one C source with no counts, with those of gcc's own coverage, plain and atomic, and with our hooks,
//! all in one run and by turns, on one thread and on two. The cost of a hit is what a side adds to a round
//! of a loop, divided by the counts that the round makes. gcc makes fewer of them than there are blocks,
//! because it knows the others by their sums; what a whole round costs stands beside.
//!
//! With `--check` a cost beyond the limit fails the run. Without `--bench`, which cargo passes when
//! benchmarking, everything runs once and briefly, to show that it still works.

mod sides;

use std::env;
use std::process::ExitCode;

use sides::{Programs, Run, SIDES, Side};

/// One line for the user: what went wrong, with which program.
type Result<T> = std::result::Result<T, String>;

const SHAPES: [&str; 3] = ["branches", "interpreter", "calls"];

const THREADS: [usize; 2] = [1, 2];

/// The most that a hit may cost, in units of gcc's atomic counts.
const LIMIT: f64 = 2.0;

fn main() -> ExitCode {
    let full = env::args().any(|argument| argument == "--bench");
    let check = env::args().any(|argument| argument == "--check");
    match run(full) {
        Ok(over) if check && over > 0 => {
            eprintln!("blocks: {over} of the limits do not hold");
            ExitCode::FAILURE
        }
        Ok(_) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("blocks: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Measures and prints; returns how many limits do not hold.
fn run(full: bool) -> Result<usize> {
    let (passes, milliseconds) = if full { (15, "40") } else { (1, "1") };
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let programs = Programs::build(folder.path())?;
    let mut over = 0;
    for (shape, threads) in SHAPES.into_iter().flat_map(|shape| THREADS.map(|n| (shape, n))) {
        let mut best = [Run::NONE; SIDES.len()];
        for _ in 0..passes {
            for side in programs.sides() {
                let run = programs.run(side, [shape, &threads.to_string(), milliseconds])?;
                let best = &mut best[side.place()];
                if run.nanoseconds < best.nanoseconds {
                    *best = run;
                }
            }
        }
        println!("\n{shape}, {threads} at a time");
        over += report(&programs, &best);
    }
    Ok(over)
}

/// Prints the rows of one shape; returns how many limits do not hold.
fn report(programs: &Programs, runs: &[Run; SIDES.len()]) -> usize {
    println!("{:16}{:>10}{:>10}{:>10}{:>10}", "", "ns/round", "added", "hits", "ns/hit");
    let added = |side: &Side| {
        runs[side.place()].nanoseconds - runs[side.without_counts().place()].nanoseconds
    };
    let cost = |side: &Side| added(side) / runs[side.place()].hits;
    let mut over = 0;
    for side in programs.sides() {
        let run = runs[side.place()];
        print!("{:16}{:>10.2}", side.name, run.nanoseconds);
        if *side != *side.without_counts() {
            print!("{:>10.2}{:>10.2}{:>10.2}", added(side), run.hits, cost(side));
        }
        if side.is_ours() {
            let ratio = cost(side) / cost(&Side::ATOMIC);
            let verdict = if ratio <= LIMIT { "PASS" } else { "over" };
            print!("   / {} {ratio:.2} <= {LIMIT} {verdict}", Side::ATOMIC.name);
            over += usize::from(ratio > LIMIT);
        }
        println!();
    }
    over
}
