//! What targets share that read files: a folder for them, and the checks.

use std::path::Path;
use std::sync::OnceLock;

use tempfile::TempDir;

#[path = "../../analyzer/tests/suite/code_and_lists.rs"]
#[expect(dead_code, reason = "each target makes one of the checks")]
pub mod code_and_lists;
#[path = "../../analyzer/tests/suite/data.rs"]
mod data;
#[path = "../../analyzer/tests/suite/elf.rs"]
#[allow(dead_code, reason = "it makes other programs too")]
mod elf;

/// A folder that stays for all inputs.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| tempfile::tempdir().expect("a temporary folder")).path()
}
