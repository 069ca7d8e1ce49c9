//! Any bytes as a data file, by the format crate alone.

#![no_main]

#[path = "../../analyzer/tests/suite/formats/checks.rs"]
#[expect(dead_code, reason = "each target makes one of the checks")]
mod checks;
mod encoding;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Some((encoding, bytes)) = encoding::split(input) {
        checks::reads(bytes, encoding);
    }
});
