//! Threads and processes.

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
