//! Every example on other machines: its lines are executed as often as on this machine, for which gcov and
//! llvm-cov confirm the counts.

use super::{
    counters::{self, name, tracefile},
    examples::BY_CHANCE,
    tracefile::{Lines, of_lcov},
};
use support::{
    compilers::{COMPILERS, Compiler},
    example::Example,
    ports::testable,
    workplace::Workplace,
};

/// The executions of the lines of an example.
fn count(compiler: &Compiler, example: &Example) -> Lines {
    let place = Workplace::new();
    counters::count(&place, compiler, example);
    of_lcov(&tracefile(&place), &name(&example.source))
}

/// Lines that gcc executes before it knows whether they are to be: it sets the status `return 6` before it has compared two
/// `long double`s of PowerPC, which are pairs of numbers.
const EARLY: [(&str, &str); 1] = [("powerpc64", "arguments.c:84")];

/// Lines of which there is nothing but a jump. Where jumps are not told from other code, it has the count of what lies before it.
const JUMPS: [&str; 1] = ["pause.c:26"];

/// Compares the lines of all examples on all machines that a compiler builds for. Where one machine has
/// code for a line, such as a jump at a closing brace, and another one none, there is nothing to compare.
fn compare(name_of_compiler: &str) {
    let is_meant = |compiler: &&Compiler| compiler.name == name_of_compiler;
    let ports: Vec<_> = testable().filter(is_meant).collect();
    let Some(host) = COMPILERS.iter().find(is_meant).filter(|_| !ports.is_empty()) else { return };
    let mut compared = 0;
    let mut differences = Vec::new();
    for example in Example::all().into_iter().filter(|example| example.suits(host)) {
        let file = name(&example.source);
        let suiting: Vec<_> = ports.iter().filter(|port| example.suits(port)).collect();
        if suiting.is_empty() || BY_CHANCE.contains(&&*file) {
            continue;
        }
        let expected = count(host, &example);
        for port in suiting {
            let lines = count(port, &example);
            assert!(10 * lines.len() > 9 * expected.len(), "{file}: {lines:?}, not {expected:?}");
            for (number, count) in lines {
                let Some(expected) = expected.get(&number) else { continue };
                compared += 1;
                let (machine, place) = (port.target.architecture, format!("{file}:{number}"));
                let is_early = EARLY.contains(&(machine, &*place));
                if count != *expected && !is_early && !JUMPS.contains(&&*place) {
                    differences.push(format!("{machine}: {place}: {count}, not {expected}"));
                }
            }
        }
    }
    assert!(differences.is_empty(), "{name_of_compiler}:\n{}", differences.join("\n"));
    assert!(compared > 300 * ports.len(), "only {compared} lines compared");
}

#[test]
fn lines_are_executed_as_often_on_other_machines_by_gcc() {
    compare("gcc");
}

#[test]
fn lines_are_executed_as_often_on_other_machines_by_clang() {
    compare("clang");
}
