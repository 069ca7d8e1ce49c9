//! Files that a process has mapped, as proc_pid_maps(5) lists them.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use gmon_format::mapping::{Mapping, path_of_file};

/// A file that a process shares with others.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mapped {
    /// The number of its inode.
    inode: u64,
    /// Its path as the process knows it.
    pub(super) path: PathBuf,
}

/// The files that a process has mapped from their start, so that what it writes there is in them.
pub(super) fn shared_files(process: u32) -> io::Result<Vec<Mapped>> {
    let text = fs::read(format!("/proc/{process}/maps"))?;
    Ok(Mapping::each(&text).filter_map(Mapped::of).collect())
}

/// Returns `true` if a process has a file mapped so.
pub(super) fn has_mapped(process: u32, file: &fs::Metadata) -> bool {
    // The device of a file system with subvolumes is not the one that files have.
    shared_files(process).is_ok_and(|files| files.iter().any(|it| it.inode == file.ino()))
}

impl Mapped {
    fn of(mapping: Mapping<'_>) -> Option<Self> {
        let is_file = mapping.inode != 0 && mapping.path.starts_with(b"/");
        let is_written = mapping.is_shared && mapping.is_writable;
        let path = OsStr::from_bytes(path_of_file(mapping.path)).into();
        (is_file && is_written && mapping.offset == 0)
            .then_some(Self { inode: mapping.inode, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_files_are_told_from_other_lines() {
        let start = "7f12a0000000-7f12a0100000";
        let mapped = |inode, path: &str| Some(Mapped { inode, path: path.into() });
        for (rest, expected) in [
            ("rw-s 00000000 fd:01 4711                       /tmp/a b", mapped(4711, "/tmp/a b")),
            ("rw-s 00000000 fd:01 47 /tmp/x (deleted)", mapped(47, "/tmp/x")),
            ("rw-s 00100000 fd:01 4711                       /tmp/x", None),
            ("rw-p 00000000 fd:01 4711                       /tmp/x", None),
            ("rw-s 00000000 00:00 0 ", None),
        ] {
            let line = format!("{start} {rest}");
            let found = Mapping::parse(line.as_bytes()).and_then(Mapped::of);
            assert_eq!(found, expected, "{rest}");
        }
    }
}
