//! Linux, by its system calls.

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::arch::{self, syscall};

/// What a signal handler is told about the code it interrupted.
pub(crate) type Context = libc::ucontext_t;

/// A number that tells why a system call did nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Errno(pub(crate) i32);

fn check(result: isize) -> Result<usize, Errno> {
    usize::try_from(result).map_err(|_| Errno(-result as i32))
}

/// Maps `len` bytes of zeroed memory, private and uncommitted.
pub(crate) fn map(len: usize) -> Option<*mut u8> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let args = [0, len, protection as usize, flags as usize, usize::MAX, 0];
    check(syscall(libc::SYS_mmap, args)).ok().map(|address| address as *mut u8)
}

/// Unmaps what [`map`] mapped.
///
/// # Safety
/// Nobody may use the memory any more.
pub(crate) unsafe fn unmap(base: *mut u8, len: usize) {
    syscall(libc::SYS_munmap, [base as usize, len, 0, 0, 0, 0]);
}

/// The kernel's id of the calling thread.
pub(crate) fn thread_id() -> i32 {
    syscall(libc::SYS_gettid, [0; 6]) as i32
}

/// The id of this process.
pub(crate) fn process_id() -> i32 {
    syscall(libc::SYS_getpid, [0; 6]) as i32
}

/// Whether a thread of this process has the given id. In doubt, it has.
pub(crate) fn thread_lives(tid: i32) -> bool {
    let probe = [process_id() as usize, tid as usize, 0, 0, 0, 0];
    check(syscall(libc::SYS_tgkill, probe)) != Err(Errno(libc::ESRCH))
}

/// Whether a signal's action is the runtime's or the program's.
pub(crate) enum SignalOwner {
    Us,
    Program,
}

/// Linux's own `struct sigaction`, which is not the C library's.
#[repr(C)]
#[derive(Default)]
struct KernelAction {
    handler: usize,
    flags: usize,
    restorer: usize,
    mask: u64,
}

static HANDLER: AtomicPtr<()> = AtomicPtr::new(null_mut());

/// Has `handler` called for SIGPROF, unless the program handles that signal itself.
pub(crate) fn handle_profiling_signal(handler: fn(&Context)) -> SignalOwner {
    let mut old = KernelAction::default();
    signal_action(None, Some(&mut old));
    let ours = on_signal as *const () as usize;
    if old.handler != libc::SIG_DFL && old.handler != ours {
        return SignalOwner::Program;
    }
    HANDLER.store(handler as *mut (), Ordering::Release);
    // SA_ONSTACK: on a coroutine's small stack the handler would not fit, where the program
    // provides an alternate one. SA_RESTART and a full mask, as profil(3) does.
    const SA_RESTORER: usize = 0x0400_0000;
    let flags = (libc::SA_SIGINFO | libc::SA_RESTART | libc::SA_ONSTACK) as usize | SA_RESTORER;
    let action =
        KernelAction { handler: ours, flags, restorer: arch::signal_restorer(), mask: u64::MAX };
    signal_action(Some(&action), None);
    SignalOwner::Us
}

fn signal_action(new: Option<&KernelAction>, old: Option<&mut KernelAction>) {
    let new = new.map_or(0, |action| core::ptr::from_ref(action) as usize);
    let old = old.map_or(0, |action| core::ptr::from_mut(action) as usize);
    let args = [libc::SIGPROF as usize, new, old, size_of::<u64>(), 0, 0];
    syscall(libc::SYS_rt_sigaction, args);
}

extern "C" fn on_signal(_signal: i32, _info: *const libc::siginfo_t, context: *const Context) {
    let handler = HANDLER.load(Ordering::Acquire);
    // SAFETY: this function is installed only after HANDLER holds a function of this type, and the
    // kernel passes a context that lives until the handler returns (SA_SIGINFO).
    unsafe {
        let handler: fn(&Context) = core::mem::transmute(handler);
        handler(&*context);
    }
}

/// Has SIGPROF sent each time the process has used another `period` microseconds of CPU time; 0
/// stops it.
pub(crate) fn set_profiling_timer(period: u32) {
    let interval = libc::timeval {
        tv_sec: i64::from(period) / 1_000_000,
        tv_usec: i64::from(period) % 1_000_000,
    };
    let timer = libc::itimerval { it_interval: interval, it_value: interval };
    let timer = core::ptr::from_ref(&timer) as usize;
    syscall(libc::SYS_setitimer, [libc::ITIMER_PROF as usize, timer, 0, 0, 0, 0]);
}

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
