//! System calls by `syscall(2)` that end or replace the program. The stub of that name hands us these; all
//! others it hands to the C library's, or makes itself.
//!
//! `SYS_exit`, which ends a thread, is none of them, though it may be the last thread: those who need it have
//! forbidden themselves every other system call (`SECCOMP_MODE_STRICT`), and would be killed for ours.
//!
//! *Context:* any.

use core::ffi::{c_char, c_int, c_long};

use gmon_system::platform::Errno;

use super::exec::{self, Strings};
use super::{exit, fail};

/// Does what the system call of the number would do, with the profile written before it.
///
/// # Safety
/// As for that system call.
#[unsafe(no_mangle)]
unsafe extern "C" fn __gmon_instead_syscall(
    number: c_long,
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
) -> c_long {
    let error = match number {
        libc::SYS_exit_group => exit::end_process(a as c_int),
        libc::SYS_execve => exec::execute(a as *const c_char, b as Strings, c as Strings),
        libc::SYS_execveat => {
            let (directory, flags) = (a as c_int, e as c_int);
            exec::execute_at(directory, b as *const c_char, c as Strings, d as Strings, flags)
        }
        _ => Errno(libc::ENOSYS),
    };
    fail(error).into()
}
