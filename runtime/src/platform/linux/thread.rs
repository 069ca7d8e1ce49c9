//! Threads and processes.

use core::ffi::{CStr, c_char};

use super::{Errno, check};
use crate::arch::syscall;

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

/// The id of the process that started this one, or took it over.
pub(crate) fn parent_id() -> i32 {
    syscall(libc::SYS_getppid, [0; 6]) as i32
}

/// Lets the calling thread rest.
pub(crate) fn sleep_milliseconds(milliseconds: i64) {
    let time = libc::timespec { tv_sec: 0, tv_nsec: milliseconds * 1_000_000 };
    syscall(libc::SYS_nanosleep, [core::ptr::from_ref(&time) as usize, 0, 0, 0, 0, 0]);
}

/// Ends the process, at once and in silence.
pub(crate) fn exit(status: i32) -> ! {
    loop {
        syscall(libc::SYS_exit_group, [status as usize, 0, 0, 0, 0, 0]);
    }
}

/// Whether the process may execute a file.
pub(crate) fn may_execute(path: &CStr) -> Result<(), Errno> {
    const HERE: usize = libc::AT_FDCWD as usize;
    let args = [HERE, path.as_ptr() as usize, libc::X_OK as usize, 0, 0, 0];
    check(syscall(libc::SYS_faccessat, args)).map(drop)
}

/// Replaces the program of the process; returns only if that fails.
pub(crate) fn execute(
    path: &CStr,
    arguments: *const *const c_char,
    environment: *const *const c_char,
) -> Errno {
    let args = [path.as_ptr() as usize, arguments as usize, environment as usize, 0, 0, 0];
    error(syscall(libc::SYS_execve, args))
}

/// Like [`execute`], for an open file.
pub(crate) fn execute_file(
    file: i32,
    arguments: *const *const c_char,
    environment: *const *const c_char,
) -> Errno {
    let (path, flags) = (c"".as_ptr() as usize, libc::AT_EMPTY_PATH as usize);
    let args = [file as usize, path, arguments as usize, environment as usize, flags, 0];
    error(syscall(libc::SYS_execveat, args))
}

fn error(result: isize) -> Errno {
    check(result).err().unwrap_or(Errno(0))
}
