//! Programs for other machines, run by their emulators: every example has the counts that it
//! states, in our report and in the machine's GNU gprof, which must be the same text; the time is
//! where it was spent; and whatever ends a program, forks it or interrupts it, nothing is lost.
//!
//! The machines are those whose libraries the command under test carries (`GMON_TARGETS`, see
//! docs/porting.md). One test is one program on one machine:
//! `cargo test --test ports -- "cycle on riscv64"` runs one.

mod contents;
mod dormant;
mod endings;
mod environment;
mod libcalls;
mod live;
mod processes;
mod reach;
mod shape;
mod stacks;
mod storms;
mod times;

use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};

use support::{
    compilers::Compiler,
    example::Example,
    modes::{DORMANT, MODES, Mode},
    ports::testable,
    program::{Builder, Program},
    trial,
};

/// The modes that a port is tested in.
const MOST: &[&str] = &["default", "static, own start", "preloaded"];

/// Where a function can call its hook before anything else, that too.
const WITH_FENTRY: &[&str] = &["default", "static, own start", "preloaded", "fentry, static"];

/// Where hooks can sleep, that too.
const WITH_DORMANT: &[&str] =
    &["default", "static, own start", "preloaded", "dormant", "dormant, static"];

/// Before version 20 clang tells its hooks less than gcc.
const FEW: &[&str] = &["default"];

/// Those that sleep learn all that they need from the processor.
const FEW_WITH_DORMANT: &[&str] = &["default", "dormant"];

/// A program of those, to be run with nothing but its counts: the time is tested by itself.
fn without_samples(program: &Program) -> Command {
    let mut command = program.command();
    command.env("GMON_OPTIONS", "sampler=none");
    command
}

/// Panics if programs of the compiler are not as they should be.
type Check = fn(&Compiler);

/// What other suites test on this machine in all variety, tested on each.
const SUITES: [(&str, Check); 11] = [
    ("dormant", dormant::check),
    ("endings", endings::check),
    ("libcalls", libcalls::check),
    ("live", live::check),
    ("processes", processes::check),
    ("reach", reach::check),
    ("stacks", stacks::check),
    ("stacks in hooks", stacks::check_hooks),
    ("storms", storms::check),
    ("time", shape::check),
    ("times of calls", times::check),
];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for compiler in testable() {
        let modes = match (compiler.name, compiler.target.architecture) {
            ("gcc", "s390x" | "x86") => WITH_FENTRY,
            ("gcc", "aarch64" | "riscv64") => WITH_DORMANT,
            ("gcc", _) => MOST,
            // Nothing else tells its hooks the caller.
            ("clang", "s390x") => &["fentry"],
            (_, "aarch64" | "riscv64") => FEW_WITH_DORMANT,
            _ => FEW,
        };
        let machine = format!("on {} by {}", compiler.target.architecture, compiler.name);
        // On MIPS clang calls a function in tail position like any other.
        let makes_jumps = (compiler.name, compiler.target.architecture) != ("clang", "mips64");
        let suits = |example: &Example| {
            example.suits(compiler) && (makes_jumps || example.name != "tail_calls")
        };
        for example in Example::all().into_iter().filter(suits) {
            let name = format!("{} {machine}", example.name);
            trials.push(Trial::test(name, move || in_modes(&example, compiler, modes)));
        }
        if (compiler.name, compiler.target.architecture) == ("gcc", "powerpc64") {
            let name = format!("tables of contents {machine}");
            trials.push(Trial::test(name, move || {
                contents::check(compiler);
                Ok(())
            }));
        }
        if (compiler.name, compiler.target.architecture) == ("clang", "aarch64") {
            trials.push(Trial::test(format!("times by exits {machine}"), || {
                times::check_exits(compiler);
                Ok(())
            }));
        }
        if compiler.name == "gcc" {
            let check = move || environment::check(compiler, modes);
            trials.push(Trial::test(format!("environment {machine}"), check));
            for (suite, check) in SUITES {
                let check = move || {
                    check(compiler);
                    Ok(())
                };
                trials.push(Trial::test(format!("{suite} {machine}"), check));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn in_modes(example: &Example, compiler: &Compiler, modes: &[&str]) -> Result<(), Failed> {
    let mut builder = Builder::new(compiler, &example.source, &example.flags);
    let without_samples = [("GMON_OPTIONS", "sampler=none")];
    let variables = if compiler.target.loses_registers() { &without_samples[..] } else { &[] };
    let mut failures = Vec::new();
    // On IBM Z gcc gives nested functions no such hooks, and says so.
    let has_no_hooks = |mode: &Mode| {
        compiler.target.architecture == "s390x"
            && example.name == "nested"
            && mode.name.starts_with("fentry")
    };
    let is_meant = |mode: &&Mode| {
        modes.contains(&mode.name) && example.suits_mode(mode) && !has_no_hooks(mode)
    };
    for mode in MODES.iter().chain(DORMANT).filter(is_meant) {
        let differences = trial::run(example, mode, &mut builder, &[], variables).differences;
        failures.extend(differences.into_iter().map(|text| format!("{}: {text}", mode.name)));
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}
