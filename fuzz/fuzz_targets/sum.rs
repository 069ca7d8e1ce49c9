//! Any bytes as a data file whose sum is written and read again.

#![no_main]

#[path = "../../analyzer/tests/suite/formats/checks.rs"]
#[expect(dead_code, reason = "each target makes one of the checks")]
mod checks;
mod encoding;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Some((encoding, bytes)) = encoding::split(input) {
        checks::sums(bytes, encoding);
    }
});
