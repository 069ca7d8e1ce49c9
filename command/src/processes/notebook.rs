//! The notebooks of processes, as `gmon run` finds them in a ledger.

use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::sync::OnceLock;

use gmon_format::ledger::{NOTEBOOK, NOTEBOOK_LEN};
use nix::libc;

/// The words of a process.
pub(crate) struct Notebook {
    /// The user whose it is.
    pub(super) owner: u32,
    pub(super) text: Vec<u8>,
}

/// The notebooks in a folder.
///
/// # Errors
///
/// The folder cannot be read.
pub(crate) fn notebooks(folder: &Path) -> io::Result<Vec<Notebook>> {
    let entries = fs::read_dir(folder)?.flatten();
    let named = entries.filter(|it| it.file_name().as_bytes().starts_with(NOTEBOOK.as_bytes()));
    Ok(named.flat_map(|entry| read(&entry.path(), NOTEBOOK_LEN as u64)).collect())
}

/// Reads at most so many bytes of a notebook: a file that its owner alone writes.
pub(super) fn read(path: &Path, most: u64) -> Option<Notebook> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    let metadata = file.metadata().ok().filter(is_only_here)?;
    let is_private = metadata.mode() & 0o022 == 0;
    let mut text = Vec::new();
    file.take(most).read_to_end(&mut text).ok()?;
    is_private.then_some(Notebook { owner: metadata.uid(), text })
}

/// True for a file that has one name, and so was made under it or moved to it.
pub(crate) fn is_only_here(metadata: &fs::Metadata) -> bool {
    metadata.is_file() && metadata.nlink() == 1
}

/// The inode of our PID namespace; 0 if it is unknown.
pub(super) fn own_namespace() -> u64 {
    static OWN: OnceLock<u64> = OnceLock::new();
    *OWN.get_or_init(|| namespace("self").unwrap_or(0))
}

/// The inode of the PID namespace of a process, if we may know it.
pub(crate) fn namespace(process: &str) -> Option<u64> {
    let link = fs::read_link(format!("/proc/{process}/ns/pid")).ok()?;
    link.to_str()?.strip_prefix("pid:[")?.strip_suffix(']')?.parse().ok()
}
