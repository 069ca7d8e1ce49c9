//! Files.

use core::ffi::CStr;

use super::{Errno, check};
use crate::arch::syscall;

/// Opens a file for writing, never through a symbolic link and not inherited by `exec`.
/// `how` is O_EXCL for a new file or O_TRUNC for one that may exist.
pub(crate) fn create(path: &CStr, how: i32) -> Result<File, Errno> {
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_NOFOLLOW | libc::O_CLOEXEC | how;
    let path = path.as_ptr() as usize;
    let args = [libc::AT_FDCWD as usize, path, flags as usize, 0o666, 0, 0];
    check(syscall(libc::SYS_openat, args)).map(|descriptor| File { descriptor })
}

/// Opens a file for reading.
pub(crate) fn open(path: &CStr) -> Result<File, Errno> {
    let flags = libc::O_RDONLY | libc::O_CLOEXEC;
    let args = [libc::AT_FDCWD as usize, path.as_ptr() as usize, flags as usize, 0, 0, 0];
    check(syscall(libc::SYS_openat, args)).map(|descriptor| File { descriptor })
}

/// Gives a file another name, replacing what had it.
pub(crate) fn rename(from: &CStr, to: &CStr) -> Result<(), Errno> {
    let args = [from.as_ptr() as usize, to.as_ptr() as usize, 0, 0, 0, 0];
    check(syscall(libc::SYS_rename, args)).map(drop)
}

/// Removes a file's name.
pub(crate) fn unlink(path: &CStr) {
    syscall(libc::SYS_unlink, [path.as_ptr() as usize, 0, 0, 0, 0, 0]);
}

/// The path of the current directory, in `buffer`.
pub(crate) fn current_directory(buffer: &mut [u8]) -> Option<&CStr> {
    let args = [buffer.as_mut_ptr() as usize, buffer.len(), 0, 0, 0, 0];
    check(syscall(libc::SYS_getcwd, args)).ok()?;
    CStr::from_bytes_until_nul(buffer).ok()
}

/// Writes to the standard error stream what it takes.
pub(crate) fn write_error(bytes: &[u8]) {
    _ = write(libc::STDERR_FILENO as usize, bytes);
}

fn write(descriptor: usize, bytes: &[u8]) -> Result<usize, Errno> {
    check(syscall(libc::SYS_write, [descriptor, bytes.as_ptr() as usize, bytes.len(), 0, 0, 0]))
}

/// An open file, closed when dropped.
pub(crate) struct File {
    descriptor: usize,
}

impl File {
    /// Writes all of `bytes`.
    pub(crate) fn write_all(&mut self, mut bytes: &[u8]) -> Result<(), Errno> {
        while !bytes.is_empty() {
            match write(self.descriptor, bytes) {
                Ok(0) => return Err(Errno(libc::ENOSPC)),
                Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
                Err(Errno(libc::EINTR)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reads up to `buffer.len()` bytes and returns how many.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Errno> {
        let args = [self.descriptor, buffer.as_mut_ptr() as usize, buffer.len(), 0, 0, 0];
        check(syscall(libc::SYS_read, args))
    }

    /// Closes the file and tells whether the system had kept an error until now.
    pub(crate) fn close(self) -> Result<(), Errno> {
        let descriptor = self.descriptor;
        core::mem::forget(self);
        check(syscall(libc::SYS_close, [descriptor, 0, 0, 0, 0, 0])).map(drop)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        syscall(libc::SYS_close, [self.descriptor, 0, 0, 0, 0, 0]);
    }
}
