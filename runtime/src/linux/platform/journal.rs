//! Files to which several processes append lines.

use core::ffi::CStr;

use super::file::{open_at, out_of_the_way, write};
use super::{Directory, Errno, Fd, File, Identity, status};

/// An open file whose every write goes behind all that was written before.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Journal(pub(crate) i32);

impl Journal {
    /// None: whatever is asked of it fails.
    pub(crate) const NONE: Self = Self(-1);

    /// Opens a file that is there, but not through a symbolic link, out of the way of the descriptors that
    /// the program counts on, and not inherited by `exec`.
    pub(crate) fn open(path: &CStr) -> Result<Self, Errno> {
        let flags = libc::O_WRONLY | libc::O_APPEND | libc::O_NOFOLLOW | libc::O_CLOEXEC;
        let flags = flags | libc::O_NONBLOCK;
        open_at(Directory::CURRENT, path, flags, 0).map(|low| Self(out_of_the_way(low).0))
    }

    /// What the file is.
    pub(crate) fn identity(self) -> Result<Identity, Errno> {
        status(Directory(self.0), c"").map(|status| status.identity)
    }

    /// Appends the bytes by one write, which no other can split.
    pub(crate) fn append(self, bytes: &[u8]) {
        while write(Fd(self.0), bytes) == Err(Errno(libc::EINTR)) {}
    }

    /// Closes it.
    pub(crate) fn close(self) {
        drop(File { descriptor: Fd(self.0) });
    }
}
