//! Any bytes as a live file or a finished full profile.

#![no_main]

#[path = "../../format/tests/live/checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    checks::reads(input);
});
