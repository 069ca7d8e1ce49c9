//! Any bytes as a map or a dump of code that was made at run time.

#![no_main]

#[path = "../../analyzer/tests/suite/formats/checks.rs"]
#[expect(dead_code, reason = "each target makes one of the checks")]
mod checks;

libfuzzer_sys::fuzz_target!(|input: &[u8]| checks::finds_code(input));
