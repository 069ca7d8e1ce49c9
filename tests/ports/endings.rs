//! Ways to end: a program ends as it does without a profile, and leaves a whole one.

use std::process::ExitStatus;

use crate::without_samples;
use support::{
    command::{output_of, said},
    compilers::Compiler,
    modes::{NO_PROFILE, mode},
    program::Program,
    suite::Suite,
};

/// Ways to end, and what they count beside what all count.
const WAYS: [(&str, &str); 20] = [
    ("return", ""),
    ("exit", ""),
    ("_exit", ""),
    ("quick_exit", ""),
    ("exit in a thread", "<outside> -> exit_5 1"),
    ("handled", "<outside> -> handler 1\nhandler -> work 1"),
    ("kill 15", ""),
    ("raise 2", ""),
    ("signal in a thread", "<outside> -> kill_15 1"),
    ("abort", ""),
    ("let in by sigsuspend", ""),
    ("null pointer", ""),
    ("read-only page", ""),
    ("jump to nowhere", ""),
    ("handled and again", "<outside> -> and_again 1\nand_again -> work 1"),
    ("handled once", "<outside> -> once 1\nonce -> work 1"),
    ("handled once, fault", "<outside> -> once 1\nonce -> work 1"),
    ("default again", ""),
    ("closed pipe", ""),
    ("alarm", ""),
];

/// Ends the program so. Emulators say by which signal a program died.
fn end(program: &Program, how: &str) -> (ExitStatus, String) {
    program.clear();
    let output = output_of(without_samples(program).arg(how));
    let said = said(&output);
    (output.status, said)
}

pub(crate) fn check(compiler: &Compiler) {
    let suite = Suite("ends");
    let reference = suite.build_by(compiler, "ending.c", &NO_PROFILE, &[]);
    for name in ["default", "static, own start"] {
        let program = suite.build_by(compiler, "ending.c", mode(name), &[]);
        for (how, more) in WAYS {
            assert_eq!(end(&program, how), end(&reference, how), "{name}, {how}");
            let calls = "<outside> -> main 1\nmain -> work 21\nmain -> end 1\n";
            program.counts("gmon.out").are(&format!("{calls}{more}"));
        }
    }
}
