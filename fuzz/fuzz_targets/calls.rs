//! Any bytes as machine code; the first one chooses the machine.

#![no_main]

use std::sync::OnceLock;

use tempfile::TempDir;

#[path = "../../analyzer/tests/suite/code_and_lists.rs"]
#[expect(dead_code, reason = "each target makes one of the checks")]
mod code_and_lists;
#[path = "../../analyzer/tests/suite/data.rs"]
mod data;
#[path = "../../analyzer/tests/suite/elf.rs"]
#[allow(dead_code, reason = "it makes other programs too")]
mod elf;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().expect("a temporary folder"));
    code_and_lists::finds_calls(folder.path(), input);
});
