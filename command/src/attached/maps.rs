//! Files that a process has mapped, as proc_pid_maps(5) lists them.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

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
    Ok(String::from_utf8_lossy(&text).lines().filter_map(Mapped::read).collect())
}

/// Returns `true` if a process has a file mapped so.
pub(super) fn has_mapped(process: u32, file: &fs::Metadata) -> bool {
    // The device of a file system with subvolumes is not the one that files have.
    shared_files(process).is_ok_and(|files| files.iter().any(|it| it.inode == file.ino()))
}

impl Mapped {
    /// Takes a line, `start-end rw-s offset device inode   path`.
    fn read(line: &str) -> Option<Self> {
        let mut rest = line;
        let mut word = || {
            let (word, others) = rest.split_once(' ')?;
            rest = others;
            Some(word)
        };
        let (_, rights, offset, _) = (word()?, word()?, word()?, word()?);
        let inode = word()?.parse().ok().filter(|inode| *inode != 0)?;
        let path = rest.trim_start().trim_end_matches(" (deleted)");
        let is_shared = rights == "rw-s" && offset.bytes().all(|digit| digit == b'0');
        (is_shared && path.starts_with('/')).then(|| Self { inode, path: path.into() })
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
            assert_eq!(Mapped::read(&format!("{start} {rest}")), expected, "{rest}");
        }
    }
}
