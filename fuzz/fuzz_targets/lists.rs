//! Any bytes as a list of symbols, and as one of object files.

#![no_main]

mod in_folder;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    in_folder::code_and_lists::reads_lists(in_folder::folder(), input);
});
