//! Calls in the code that compilers make for a machine, beside those that `objdump` shows.

use std::collections::BTreeSet;
use std::process::Command;

use super::{MACHINES, Machine, write_data};
use crate::gnu;
use crate::run::Case;

/// Caller and callee.
type Arcs = BTreeSet<(String, String)>;

#[test]
fn calls_in_compiled_code_are_those_that_a_disassembler_sees() {
    let test = "calls_in_compiled_code_are_those_that_a_disassembler_sees";
    for machine in MACHINES.iter().filter(|machine| !machine.calls.is_empty()) {
        for optimization in ["-O0", "-O2", "-Os"] {
            let Some(case) = machine.compile(test, &[optimization], true) else { continue };
            write_data(&case, 1.0);
            let expected = disassembled(machine, &case);
            assert!(expected.len() >= 7, "{} {optimization}: {expected:?}", machine.target);
            // Without calls that were made.
            let outcome = case.gprof("-b -c -q -z -k /");
            assert_eq!((outcome.stderr.as_str(), outcome.status), ("", 0), "{}", machine.target);
            assert_eq!(reported(&outcome.stdout), expected, "{} {optimization}", machine.target);
        }
    }
}

/// The calls of functions that `objdump` shows.
fn disassembled(machine: &Machine, case: &Case) -> Arcs {
    let mut objdump = Command::new(machine.tool("objdump"));
    let objdump = objdump.args(["-d", "--no-show-raw-insn"]).arg(case.path("exe"));
    let text = gnu::outcome(objdump).stdout;
    let mut caller = "";
    let mut arcs = Arcs::new();
    for line in text.lines() {
        let name = line.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
        let Some((name, rest)) = name else { continue };
        if rest == ":" {
            caller = name;
            continue;
        }
        let instruction = line.split('\t').nth(1).unwrap_or_default();
        // 64-bit PowerPC's functions are entered behind the instructions that compute where their data is.
        let name = name.strip_suffix("+0x8").filter(|_| machine.has_two_entries()).unwrap_or(name);
        let mnemonic = instruction.split_whitespace().next().unwrap_or_default();
        if machine.calls.contains(&mnemonic) && !name.contains('+') {
            arcs.insert((caller.to_owned(), name.to_owned()));
        }
    }
    arcs
}

/// Those of a call graph.
fn reported(report: &str) -> Arcs {
    let mut arcs = Arcs::new();
    let (graph, _) = report.split_once('\u{c}').unwrap_or((report, ""));
    for entry in graph.split("-----------------------------------------------\n") {
        let is_primary = |line: &&str| line.starts_with('[') && !line.contains(" as a whole>");
        let mut lines = entry.lines().skip_while(|line| !is_primary(line)).filter_map(name);
        let Some(caller) = lines.next() else { continue };
        arcs.extend(lines.map(|callee| (caller.to_owned(), callee.to_owned())));
    }
    arcs
}

/// The name in a line, before its cycle and index.
fn name(line: &str) -> Option<&str> {
    let (line, _) = line.rsplit_once(" [")?;
    let line = line.split_once(" <cycle").map_or(line, |(line, _)| line);
    line.split_whitespace().last()
}
