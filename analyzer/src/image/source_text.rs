//! Finds and reads the source files that debug information names.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// Reads the source file of this name: where the name leads or, if it does not, below one of the
/// `directories`, first by the whole name if that is relative, then by its last component.
///
/// # Errors
/// Those of the last place that was tried.
pub(crate) fn read_source(name: &[u8], directories: &[PathBuf]) -> io::Result<Vec<u8>> {
    let path = Path::new(OsStr::from_bytes(name));
    let base = name.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    let below = |name: &[u8]| {
        let name = [b"/", name].concat();
        directories.iter().map(move |directory| {
            PathBuf::from(OsStr::from_bytes(&[directory.as_os_str().as_bytes(), &name].concat()))
        })
    };
    let whole = if path.is_absolute() { None } else { Some(below(name)) };
    let mut found = read(path);
    for place in whole.into_iter().flatten().chain(below(base)) {
        if found.is_ok() {
            break;
        }
        found = read(&place);
    }
    found
}

/// Reads a file; a device or a pipe, which only damaged debug information names, might never end.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let kind = fs::metadata(path)?.file_type();
    if !kind.is_file() && !kind.is_dir() {
        return Err(io::Error::other("not a regular file"));
    }
    fs::read(path)
}
