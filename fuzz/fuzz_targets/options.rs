//! Any words, separated by NUL, as a command line of gprof.

#![no_main]

#[path = "../../analyzer/tests/suite/command_lines/checks.rs"]
#[expect(dead_code, reason = "each target makes one of the checks")]
mod checks;
#[path = "../../analyzer/tests/suite/elf.rs"]
#[allow(dead_code, reason = "for the other check")]
mod elf;

libfuzzer_sys::fuzz_target!(|input: &[u8]| checks::answers(input));
