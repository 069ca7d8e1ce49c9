//! Any expression of unwind rules, of a processor that the first byte chooses.

#![no_main]

#[path = "../../unwind/tests/checks/mod.rs"]
#[expect(dead_code, reason = "each target makes one of the checks")]
mod checks;

libfuzzer_sys::fuzz_target!(|input: &[u8]| checks::expression(input));
