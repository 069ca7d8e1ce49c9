//! Any bytes as machine code; the first one chooses the machine.

#![no_main]

mod in_folder;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    in_folder::code_and_lists::finds_calls(in_folder::folder(), input);
});
