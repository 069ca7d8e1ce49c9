//! Finds programs where `execvp` does.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// The program of a name without a slash, in the first folder of `PATH` that has it.
pub(super) fn find(name: &OsStr) -> Option<PathBuf> {
    let is_program =
        |path: &PathBuf| fs::metadata(path).is_ok_and(|m| m.is_file() && m.mode() & 0o111 != 0);
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).map(|folder| folder.join(name)).find(is_program)
}
