//! Any bytes as a linker's name, in every language.

#![no_main]

#[path = "../../demangle/tests/suite/checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|input: &[u8]| checks::stays_in_bounds(input));
