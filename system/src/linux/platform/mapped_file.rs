//! Files that are mapped as memory.

use core::ffi::CStr;

use super::file::{open_at, out_of_the_way};
use super::offsets::{allocate, map_pages, write_at};
use super::{Directory, Errno, Fd, File, Identity, map, status, unmap};

/// An open file of which parts are mapped. They stay mapped whatever becomes of the descriptor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MappedFile(pub i32);

impl MappedFile {
    /// Makes a file that was not there before. Nobody else may write it by its `mode`: what is mapped must
    /// not be changed by others. The descriptor is out of the way of those that the program counts on, and
    /// not inherited by `exec`.
    pub fn create(directory: Directory, path: &CStr, mode: u32) -> Result<Self, Errno> {
        Self::open_by(directory, path, libc::O_CREAT | libc::O_EXCL, mode)
    }

    /// Opens a file again that is there, but not through a symbolic link.
    pub fn open(directory: Directory, path: &CStr) -> Result<Self, Errno> {
        Self::open_by(directory, path, 0, 0)
    }

    fn open_by(directory: Directory, path: &CStr, how: i32, mode: u32) -> Result<Self, Errno> {
        let flags = libc::O_RDWR | libc::O_NOFOLLOW | libc::O_CLOEXEC | how;
        open_at(directory, path, flags, mode).map(|low| Self(out_of_the_way(low).0))
    }

    /// Identity of the file.
    pub fn identity(self) -> Result<Identity, Errno> {
        status(Directory(self.0), c"").map(|status| status.identity)
    }

    /// Takes space on the disk for a part of the file, which then reads as zeros if it was not
    /// written before: no write to a mapping of it fails for want of space. May send SIGXFSZ.
    pub fn reserve(self, offset: u64, len: usize) -> Result<(), Errno> {
        match self.allocate(0, offset, len) {
            // The file system cannot; but what was written once has its space.
            Err(Errno(libc::EOPNOTSUPP | libc::ENOSYS)) => self.fill(offset, len),
            result => result,
        }
    }

    /// Gives the space of a part of the file back to the disk.
    pub fn release(self, offset: u64, len: usize) {
        _ = self.allocate(libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE, offset, len);
    }

    fn allocate(self, how: i32, offset: u64, len: usize) -> Result<(), Errno> {
        allocate(Fd(self.0), how, offset, len as u64)
    }

    fn fill(self, offset: u64, len: usize) -> Result<(), Errno> {
        let zeros = map(len).ok_or(Errno(libc::ENOMEM))?;
        // SAFETY: so many bytes were mapped.
        let written = unsafe { self.write_at(offset, zeros, len) };
        // SAFETY: mapped above, and nobody else knows it.
        unsafe { unmap(zeros, len) };
        written
    }

    /// Writes `len` bytes of memory, as they are at the moment, at an offset of the file.
    ///
    /// # Safety
    /// So many bytes must be readable at `start`. Others may write them meanwhile.
    pub unsafe fn write_at(self, offset: u64, start: *const u8, len: usize) -> Result<(), Errno> {
        let mut done = 0;
        while done < len {
            let (from, to) = (start.wrapping_add(done), offset + done as u64);
            // SAFETY: the last `len - done` of the bytes that the caller lends.
            match unsafe { write_at(Fd(self.0), from, len - done, to) }? {
                0 => return Err(Errno(libc::ENOSPC)),
                written => done += written,
            }
        }
        Ok(())
    }

    /// Maps a part of the file, for reading and writing by all who map it.
    pub fn map(self, offset: u64, len: usize) -> Result<*mut u8, Errno> {
        // SAFETY: the kernel chooses an address where nothing is.
        unsafe { self.map_by(0, core::ptr::null_mut(), offset, len) }
    }

    /// Maps a part of the file in the place of `len` bytes that were mapped before.
    ///
    /// # Safety
    /// They must be a mapping of the runtime's whose users can do with what that part holds.
    pub unsafe fn map_over(self, base: *mut u8, offset: u64, len: usize) -> Result<(), Errno> {
        // SAFETY: what is replaced is the caller's to replace.
        unsafe { self.map_by(libc::MAP_FIXED, base, offset, len) }.map(drop)
    }

    /// # Safety
    /// If `how` has `MAP_FIXED`, what is mapped there must be the caller's to replace.
    unsafe fn map_by(
        self,
        how: i32,
        at: *mut u8,
        offset: u64,
        len: usize,
    ) -> Result<*mut u8, Errno> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_SHARED | how;
        // SAFETY: a mapping of our own file; the caller answers for what it replaces.
        unsafe { map_pages(at as usize, len, protection, flags, Fd(self.0), offset) }
            .map(|address| address as *mut u8)
    }

    /// Closes the descriptor.
    pub fn close(self) {
        drop(File { descriptor: Fd(self.0) });
    }
}
