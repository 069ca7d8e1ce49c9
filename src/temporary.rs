//! Folders for what is needed for a moment.

use std::env;

use anyhow::{Context, Result};
use tempfile::TempDir;

/// Makes one, which is removed with all that is in it when it is dropped.
///
/// # Errors
///
/// The message says where none can be made, and how to name another place.
pub(crate) fn folder() -> Result<TempDir> {
    named("gmon-")
}

/// Makes one whose name begins so.
///
/// # Errors
///
/// As for [`folder`].
pub(crate) fn named(prefix: &str) -> Result<TempDir> {
    tempfile::Builder::new().prefix(prefix).tempdir().with_context(|| {
        let place = env::temp_dir();
        format!("no temporary folder can be made in {}; set TMPDIR to another", place.display())
    })
}
