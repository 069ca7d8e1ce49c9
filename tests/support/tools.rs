//! Tools that a desk may lack: without one, a test is skipped aloud; in CI it fails.

use std::{
    env,
    path::{Path, PathBuf},
};

/// Whether the tests run in CI, where nothing may be skipped for want of a tool.
pub fn in_ci() -> bool {
    env::var_os("CI").is_some()
}

/// The path of `tool`, if it is installed.
///
/// # Panics
///
/// If it is not and the tests run in CI.
pub fn find(tool: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|folder| folder.join(tool)).find(|file| is_file(file));
    if found.is_none() {
        assert!(!in_ci(), "{tool} is not installed, and CI skips nothing");
        eprintln!("SKIPPED: {tool} is not installed");
    }
    found
}

fn is_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file())
}
