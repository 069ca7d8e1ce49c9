//! Any lines as symspecs, each with a letter before it that says what it selects.

#![no_main]

#[path = "../../analyzer/tests/suite/command_lines/checks.rs"]
#[expect(dead_code, reason = "each target makes one of the checks")]
mod checks;
#[path = "../../analyzer/tests/suite/elf.rs"]
#[allow(dead_code, reason = "it makes other programs too")]
mod elf;

libfuzzer_sys::fuzz_target!(|input: &[u8]| checks::selects(input));
