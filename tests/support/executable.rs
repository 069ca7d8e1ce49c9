//! Files that are executed as soon as they are written.
//!
//! Tests run at the same time in one process. If another one starts a program while this one writes, the new process has
//! the file open for a moment, too, and executing the file in that moment fails with "Text file busy". So another process
//! writes it, whose descriptors nobody inherits.

use std::{fs, path::Path};

use tempfile::NamedTempFile;

use crate::command::{quiet, text_of};

/// Writes a file that can be executed.
///
/// # Panics
///
/// If that is not possible.
pub fn write(path: &Path, content: impl AsRef<[u8]>) {
    let source = NamedTempFile::new().expect("a temporary file");
    fs::write(&source, content).expect("a writable folder");
    copy(source.path(), path);
}

/// Copies a file, and makes the copy one that can be executed.
///
/// # Panics
///
/// If that is not possible.
pub fn copy(from: &Path, to: &Path) {
    text_of(quiet("install").args(["-m", "755"]).args([from, to]));
}
