//! Programs that `tests/upstream/run` has built into a folder, and how each is run.

use std::fs;
use std::path::{Path, PathBuf};

/// A file for each program, with the name, the executable and the arguments.
///
/// # Panics
///
/// If nothing was built.
pub(super) fn commands(folder: &Path) -> Vec<(PathBuf, Vec<String>)> {
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let mut files: Vec<_> =
        files.filter(|file| file.extension().is_some_and(|end| end == "command")).collect();
    files.sort();
    assert!(!files.is_empty(), "{}: nothing was built", folder.display());
    let words = |file: &PathBuf| {
        let text = fs::read_to_string(file).expect("a command");
        text.trim_end_matches('\0').split('\0').map(str::to_owned).collect()
    };
    files.into_iter().map(|file| (file.clone(), words(&file))).collect()
}
