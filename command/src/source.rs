//! The text of the sources that debug information names.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A source file.
pub(crate) struct Source {
    pub(crate) lines: Vec<String>,
    /// When it was written, if the system says so.
    pub(crate) written: Option<SystemTime>,
}

impl Source {
    /// Reads the file of this name: where the compiler found it or, if it is not there, below one of the
    /// folders, by as much of the name's end as leads to a file. So sources that were moved together are
    /// distinguished even if several have the same name.
    ///
    /// # Errors
    ///
    /// Those of the first place.
    pub(crate) fn read(name: &[u8], folders: &[PathBuf]) -> io::Result<Self> {
        let path = Path::new(OsStr::from_bytes(name));
        read(path).or_else(|error| below(path, folders).find_map(|it| read(&it).ok()).ok_or(error))
    }
}

/// The places below the folders where a file may be, by ever less of its name.
fn below<'a>(path: &'a Path, folders: &'a [PathBuf]) -> impl Iterator<Item = PathBuf> + 'a {
    let relative = path.strip_prefix("/").unwrap_or(path);
    let ends = std::iter::successors(Some(relative), |end| {
        let mut parts = end.components();
        parts.next();
        Some(parts.as_path()).filter(|rest| !rest.as_os_str().is_empty())
    });
    ends.flat_map(move |end| folders.iter().map(move |folder| folder.join(end)))
}

fn read(path: &Path) -> io::Result<Source> {
    let metadata = fs::metadata(path)?;
    // A pipe could make this wait forever, and a device never end.
    if !metadata.is_file() {
        return Err(io::Error::other("is not a file"));
    }
    let bytes = fs::read(path)?;
    let lines = String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect();
    Ok(Source { lines, written: metadata.modified().ok() })
}
