//! Sizes at which anything worse than nearly linear would never end, or overflow the stack.
//!
//! Nothing here measures time: the sums and shapes must be right.

use std::fmt::Write;

use super::data::{Data, Histogram};
use super::elf::Elf;
use super::random::Random;
use super::run::{Case, Outcome};

const TEXT: u64 = 0x40_0000;
const SIZE: u64 = 16;

/// A program of `functions` functions of one size, and data with these arcs.
fn run(functions: u64, arcs: impl Iterator<Item = (u64, u64, u64)>) -> Outcome {
    let mut exe = Elf::new(TEXT, SIZE * (functions + 1));
    let mut name = String::new();
    for number in 0..=functions {
        name.clear();
        write!(name, "f{number}").unwrap();
        exe.function(&name, TEXT + SIZE * number);
    }
    let at = |number: u64| TEXT + SIZE * number;
    let data = Data {
        histograms: vec![Histogram::new(TEXT, at(functions), vec![1; functions as usize])],
        arcs: arcs.map(|(from, to, count)| (at(from) + 8, at(to), count)).collect(),
    };
    let case = Case::new(&exe.bytes(), &data.bytes(exe.encoding));
    let outcome = case.gprof("-b");
    assert_eq!((outcome.stderr.as_str(), outcome.status), ("", 0));
    outcome
}

#[test]
fn a_hundred_thousand_functions_with_a_million_arcs() {
    const FUNCTIONS: u64 = 100_000;
    let mut random = Random::new(1);
    // Calls lead to higher numbers only, so there is no cycle.
    let arcs = (0..1_000_000).map(|_| {
        let from = random.below(FUNCTIONS - 1);
        (from, from + 1 + random.below(FUNCTIONS - from - 1), 1)
    });
    let outcome = run(FUNCTIONS, arcs);
    let rows = outcome.stdout.lines().skip(5).take_while(|line| !line.starts_with('\x0c'));
    let calls: u64 =
        rows.filter_map(|row| row.split_whitespace().nth(3)?.parse::<u64>().ok()).sum();
    assert_eq!(calls, 1_000_000);
    assert!(!outcome.stdout.contains("<cycle"));
}

#[test]
fn a_call_chain_of_a_million_functions() {
    const FUNCTIONS: u64 = 1_000_000;
    let outcome = run(FUNCTIONS, (1..FUNCTIONS).map(|number| (number - 1, number, 1)));
    // The first function is charged with the time of all.
    assert!(outcome.stdout.contains("\n[1]    100.0    0.01 9999.99                 f0 [1]\n"));
}

#[test]
fn one_cycle_of_a_hundred_thousand_functions() {
    const FUNCTIONS: u64 = 100_000;
    let ring = (0..FUNCTIONS).map(|number| (number, (number + 1) % FUNCTIONS, 2));
    let back = (1..FUNCTIONS).map(|number| (number, number - 1, 1));
    let outcome = run(FUNCTIONS, ring.chain(back));
    let members =
        outcome.stdout.lines().filter(|line| line.ends_with(']') && line.starts_with('['));
    assert_eq!(members.filter(|line| line.contains("<cycle 1>")).count(), FUNCTIONS as usize);
}

#[test]
fn one_function_with_a_hundred_thousand_callers_and_callees() {
    const FUNCTIONS: u64 = 100_000;
    let callers = (1..FUNCTIONS).map(|number| (number, 0, number));
    let callees = (1..FUNCTIONS).map(|number| (0, number, 1));
    let outcome = run(FUNCTIONS, callers);
    assert!(outcome.stdout.contains(" 4999950000     2.00     2.00  f0\n"));
    let outcome = run(FUNCTIONS, callees);
    let calls = outcome.stdout.matches("       1/1           f0 [1]\n").count();
    assert_eq!(calls, FUNCTIONS as usize - 1);
}
