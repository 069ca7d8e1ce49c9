//! Folders and files for what is needed for a moment.

use std::{env, io};

use anyhow::{Context, Result};
use nix::errno::Errno;
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

/// The reason why a temporary file cannot be made, without its name: users know the file that it becomes.
pub(crate) fn without_its_name(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::NotFound => Errno::ENOENT.into(),
        io::ErrorKind::PermissionDenied => Errno::EACCES.into(),
        io::ErrorKind::NotADirectory => Errno::ENOTDIR.into(),
        io::ErrorKind::ReadOnlyFilesystem => Errno::EROFS.into(),
        io::ErrorKind::StorageFull => Errno::ENOSPC.into(),
        other => other.into(),
    }
}
