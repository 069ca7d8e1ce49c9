//! Files.

use core::ffi::CStr;
use core::mem::MaybeUninit;

use gmon_format::Sink;

use super::Errno;
use super::call::{Fd, call};
use super::offsets::go_on;

/// A directory that paths are relative to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Directory(pub i32);

/// Identity of a file, whatever its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    device: (u32, u32),
    /// Its number on the device.
    pub inode: u64,
}

/// Facts that tell a file from another, and from itself when it was written since.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// Device and number.
    pub identity: Identity,
    /// Kind of what it names.
    pub kind: Kind,
    /// When it was last written: seconds and nanoseconds.
    pub written: (i64, u32),
}

/// Kind of a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file, a symbolic link or a directory.
    Plain,
    /// A device that takes bytes as they come, such as `/dev/null`.
    CharacterDevice,
    /// A disk, a pipe or a socket.
    Other,
}

impl Kind {
    fn of(mode: u16) -> Self {
        match u32::from(mode) & libc::S_IFMT {
            libc::S_IFREG | libc::S_IFLNK | libc::S_IFDIR => Self::Plain,
            libc::S_IFCHR => Self::CharacterDevice,
            _ => Self::Other,
        }
    }
}

impl Directory {
    /// The current directory, whichever that is.
    pub const CURRENT: Self = Self(libc::AT_FDCWD);

    /// Opens a directory, which is not inherited by `exec`, until [`close`](Self::close).
    pub fn open(path: &CStr) -> Result<Self, Errno> {
        let flags = libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC;
        open_at(Self::CURRENT, path, flags, 0).map(|descriptor| Self(descriptor.0))
    }

    /// Closes a directory that was opened.
    pub fn close(self) {
        drop(File { descriptor: self.fd() });
    }

    pub(super) fn fd(self) -> Fd {
        Fd(self.0)
    }

    /// Identity of the directory.
    pub fn identity(self) -> Result<Identity, Errno> {
        status(self, c"").map(|status| status.identity)
    }
}

/// Opens a file for writing, never through a symbolic link and not inherited by `exec`.
/// `how` is O_EXCL for a new file, O_TRUNC for one that may exist, or more for a device.
pub fn create(directory: Directory, path: &CStr, how: i32) -> Result<File, Errno> {
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_NOFOLLOW | libc::O_CLOEXEC | how;
    open_at(directory, path, flags, MODE).map(|descriptor| File { descriptor })
}

/// Mode of a new file, unless the user's mask is stricter: whoever could write a profile could have its
/// reader see anything.
const MODE: u32 = 0o644;

/// Writes a line at the end of a file, which is made if there is none: all of it, and whole beside the lines of
/// other processes. A pipe that nobody reads is refused.
pub fn append(directory: Directory, path: &CStr, line: &[u8]) -> Result<(), Errno> {
    let how = libc::O_APPEND | libc::O_NONBLOCK | libc::O_NOCTTY;
    super::without_signals(|| {
        let mut file = create(directory, path, how)?;
        file.write_all(line)?;
        file.close()
    })
}

/// Opens a file for reading.
pub fn open(path: &CStr) -> Result<File, Errno> {
    let flags = libc::O_RDONLY | libc::O_CLOEXEC;
    open_at(Directory::CURRENT, path, flags, 0).map(|descriptor| File { descriptor })
}

/// Opens a file; a new one gets the permissions of `mode` that the user's mask leaves.
pub(super) fn open_at(
    directory: Directory,
    path: &CStr,
    flags: i32,
    mode: u32,
) -> Result<Fd, Errno> {
    // Larger than what a system of 32 bits expects.
    let flags = flags | libc::O_LARGEFILE;
    // SAFETY: openat(2) reads the path, and makes a descriptor that nobody else knows.
    unsafe { call!(SYS_openat, directory.fd(), path, flags, mode) }.map(|fd| Fd(fd as i32))
}

/// Gives a descriptor a number that programs do not count on; if it cannot, the old one.
pub(super) fn out_of_the_way(low: Fd) -> Fd {
    for least in [1000, 200] {
        // SAFETY: a copy of the descriptor, by a number that was free.
        if let Ok(high) = unsafe { call!(SYS_fcntl, low, libc::F_DUPFD_CLOEXEC, least) } {
            drop(File { descriptor: low });
            return Fd(high as i32);
        }
    }
    low
}

/// Facts about the file of a name, without following a symbolic link; about the directory itself if
/// the name is empty.
pub fn status(directory: Directory, path: &CStr) -> Result<Status, Errno> {
    let flags = libc::AT_SYMLINK_NOFOLLOW | libc::AT_EMPTY_PATH;
    let wanted = libc::STATX_TYPE | libc::STATX_INO | libc::STATX_MTIME;
    let mut status = MaybeUninit::<libc::statx>::zeroed();
    // SAFETY: statx(2) reads the path and writes the status.
    unsafe { call!(SYS_statx, directory.fd(), path, flags, wanted, Some(&mut status)) }?;
    // SAFETY: numbers only, zeroed, and then filled in by the kernel.
    let status = unsafe { status.assume_init() };
    Ok(Status {
        identity: Identity {
            device: (status.stx_dev_major, status.stx_dev_minor),
            inode: status.stx_ino,
        },
        kind: Kind::of(status.stx_mode),
        written: (status.stx_mtime.tv_sec, status.stx_mtime.tv_nsec),
    })
}

/// Gives a file another name in its directory, which no file may have.
pub fn rename(directory: Directory, from: &CStr, to: &CStr) -> Result<(), Errno> {
    match rename_by(libc::RENAME_NOREPLACE, directory, from, to) {
        // Not every file system can look at the same time, as those of networks.
        Err(Errno(libc::EINVAL)) => match link(directory, from, to) {
            Ok(()) => unlink(directory, from),
            Err(Errno(libc::EPERM | libc::EOPNOTSUPP)) => rename_by(0, directory, from, to),
            Err(error) => Err(error),
        },
        result => result,
    }
}

/// Gives a file a second name in its directory, which no file may have.
fn link(directory: Directory, from: &CStr, to: &CStr) -> Result<(), Errno> {
    let at = directory.fd();
    // SAFETY: linkat(2) reads both paths.
    unsafe { call!(SYS_linkat, at, from, at, to, 0) }.map(drop)
}

/// Has two files of a directory change their names. Not every file system can.
pub fn exchange(directory: Directory, one: &CStr, other: &CStr) -> Result<(), Errno> {
    rename_by(libc::RENAME_EXCHANGE, directory, one, other)
}

/// Puts a file in the place of another one in its directory: at every moment the name is that of the
/// old or of the new file.
///
/// File systems write a file to the disk at once that replaces another by rename(2), for programs that
/// could not bear to lose both if the machine stops. That takes up to milliseconds. So the two change
/// their names, and the old one is removed.
pub fn replace(directory: Directory, from: &CStr, to: &CStr) -> Result<(), Errno> {
    match exchange(directory, from, to) {
        Ok(()) => unlink(directory, from).inspect_err(|_| {
            // The old one was a directory.
            _ = exchange(directory, from, to);
        }),
        Err(_) => rename_by(0, directory, from, to),
    }
}

fn rename_by(how: u32, directory: Directory, from: &CStr, to: &CStr) -> Result<(), Errno> {
    let at = directory.fd();
    // SAFETY: renameat2(2) reads both paths.
    unsafe { call!(SYS_renameat2, at, from, at, to, how) }.map(drop)
}

/// Removes a file's name.
pub fn unlink(directory: Directory, path: &CStr) -> Result<(), Errno> {
    // SAFETY: unlinkat(2) reads the path.
    unsafe { call!(SYS_unlinkat, directory.fd(), path, 0) }.map(drop)
}

/// Stores the path of the current directory in `buffer`, with a NUL.
pub fn current_directory(buffer: &mut [u8]) -> Result<(), Errno> {
    let len = buffer.len();
    // SAFETY: getcwd(2) writes at most `len` bytes of the buffer.
    unsafe { call!(SYS_getcwd, buffer, len) }.map(drop)
}

/// Changes the current directory.
pub fn change_directory(path: &CStr) -> Result<(), Errno> {
    // SAFETY: chdir(2) reads the path.
    unsafe { call!(SYS_chdir, path) }.map(drop)
}

/// Puts `/dev/null` in the place of the three standard streams; if it `must_be_device`, only where it is one.
pub fn mute_streams(must_be_device: bool) -> Result<(), Errno> {
    let null = open_at(Directory::CURRENT, c"/dev/null", libc::O_RDWR, 0)?;
    let kind = status(Directory(null.0), c"").map(|status| status.kind);
    let is_suitable = !must_be_device || kind == Ok(Kind::CharacterDevice);
    let result = if is_suitable { replace_streams(null) } else { Err(Errno(libc::ENODEV)) };
    if null.0 > libc::STDERR_FILENO || result.is_err() {
        drop(File { descriptor: null });
    }
    result
}

/// Makes the three standard streams what a descriptor is.
fn replace_streams(descriptor: Fd) -> Result<(), Errno> {
    for stream in [libc::STDIN_FILENO, libc::STDOUT_FILENO, libc::STDERR_FILENO] {
        // Unlike dup2(2), the call does not take a descriptor for its own copy.
        if stream != descriptor.0 {
            // SAFETY: the program has asked for other streams in the place of its own.
            unsafe { call!(SYS_dup3, descriptor, stream, 0) }?;
        }
    }
    Ok(())
}

/// Lists and links of this process that the kernel shows.
#[derive(Clone, Copy)]
pub enum Own {
    /// Words that it was started with.
    CommandLine,
    /// The program's file.
    Executable,
    /// Memory, and the files that lie in it.
    Mappings,
}

impl Own {
    /// The file that tells. Of the process as such it tells nothing any more when the first thread has ended before the others;
    /// of the calling thread it does since Linux 3.17. An emulator knows the first kind only.
    pub fn path(self) -> &'static CStr {
        let [of_process, of_thread] = match self {
            Self::CommandLine => [c"/proc/self/cmdline", c"/proc/thread-self/cmdline"],
            Self::Executable => [c"/proc/self/exe", c"/proc/thread-self/exe"],
            Self::Mappings => [c"/proc/self/maps", c"/proc/thread-self/maps"],
        };
        let is_told = link_target(c"/proc/self/exe", &mut [0]).is_ok();
        if is_told { of_process } else { of_thread }
    }
}

/// Stores the path of the program's file at the beginning of `buffer`, and returns it.
pub fn program_path(buffer: &mut [u8]) -> Result<&[u8], Errno> {
    link_target(Own::Executable.path(), buffer)
}

/// The number by which the kernel knows the namespace that this process's number holds in.
pub fn process_namespace() -> Option<u64> {
    let mut buffer = [0; 32];
    // It is `pid:[NUMBER]`.
    let text = link_target(c"/proc/self/ns/pid", &mut buffer).ok()?;
    let digits = text.strip_prefix(b"pid:[")?.strip_suffix(b"]")?;
    core::str::from_utf8(digits).ok()?.parse().ok()
}

/// Stores what a symbolic link says at the beginning of `buffer`, and returns it.
fn link_target<'b>(link: &CStr, buffer: &'b mut [u8]) -> Result<&'b [u8], Errno> {
    let (here, room) = (Directory::CURRENT.fd(), buffer.len());
    // SAFETY: readlinkat(2) reads the path and writes at most `room` bytes of the buffer.
    let len = unsafe { call!(SYS_readlinkat, here, link, &mut *buffer, room) }?;
    buffer.get(..len).ok_or(Errno(libc::ENAMETOOLONG))
}

/// Writes to the standard error stream what it takes.
pub fn write_error(bytes: &[u8]) {
    super::without_signals(|| _ = write(Fd(libc::STDERR_FILENO), bytes));
}

pub(super) fn write(descriptor: Fd, bytes: &[u8]) -> Result<usize, Errno> {
    // SAFETY: write(2) reads the bytes.
    unsafe { call!(SYS_write, descriptor, bytes, bytes.len()) }
}

/// An open file, closed when dropped.
pub struct File {
    pub(super) descriptor: Fd,
}

impl File {
    /// Writes all of `bytes`.
    pub fn write_all(&mut self, mut bytes: &[u8]) -> Result<(), Errno> {
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

    /// Goes on `count` bytes further, over what reads as zeros; false if it is no file to do so in.
    pub fn skip(&mut self, count: u64) -> bool {
        go_on(self.descriptor, count).is_ok()
    }

    /// Goes back to the start, to write there.
    pub fn rewind(&mut self) -> Result<(), Errno> {
        // SAFETY: numbers only, for a file.
        unsafe { call!(SYS_lseek, self.descriptor, 0usize, libc::SEEK_SET) }.map(drop)
    }

    /// Reads bytes at an offset until the buffer is full; false if there are not so many.
    pub fn read_at(&mut self, offset: u64, mut buffer: &mut [u8]) -> bool {
        if self.rewind().is_err() || !self.skip(offset) {
            return false;
        }
        while !buffer.is_empty() {
            match self.read(buffer) {
                Ok(0) => return false,
                Ok(read) => buffer = buffer.get_mut(read..).unwrap_or_default(),
                Err(Errno(libc::EINTR)) => {}
                Err(_) => return false,
            }
        }
        true
    }

    /// Leaves the file to its owner, who alone may read it.
    pub fn keep_private(&mut self) -> Result<(), Errno> {
        // SAFETY: numbers only, for a file.
        unsafe { call!(SYS_fchmod, self.descriptor, 0o600usize) }.map(drop)
    }

    /// Reads up to `buffer.len()` bytes and returns how many.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Errno> {
        let len = buffer.len();
        // SAFETY: read(2) writes at most `len` bytes of the buffer.
        unsafe { call!(SYS_read, self.descriptor, buffer, len) }
    }

    /// Closes the file and tells whether the system had kept an error until now.
    pub fn close(self) -> Result<(), Errno> {
        let descriptor = self.descriptor;
        core::mem::forget(self);
        // SAFETY: the descriptor was this file's alone, and nobody uses it any more.
        unsafe { call!(SYS_close, descriptor) }.map(drop)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // SAFETY: the descriptor was this file's alone, which ends here.
        _ = unsafe { call!(SYS_close, self.descriptor) };
    }
}

impl Sink for &mut File {
    type Error = Errno;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Errno> {
        self.write_all(bytes)
    }

    /// Most of a histogram is zero.
    fn skip(&mut self, count: u64) -> Result<bool, Errno> {
        Ok(File::skip(self, count))
    }
}
