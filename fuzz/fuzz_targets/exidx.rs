//! Any index of 32-bit ARM's unwind rules.

#![no_main]

#[path = "../../unwind/tests/checks/mod.rs"]
#[expect(dead_code, reason = "each target makes one of the checks")]
mod checks;

libfuzzer_sys::fuzz_target!(|input: &[u8]| checks::exidx(input));
