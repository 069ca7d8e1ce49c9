//! `exec`: the profile of the old program is written before the new one replaces it.
//!
//! The stubs of the C library's names hand the call to us, those with a list of arguments as an
//! array. The search of the `p` variants is that of POSIX `execvp(3)`: what has no slash is looked
//! for in `PATH`, a file that may not be executed is remembered but the search goes on, and a file
//! of no known format is a shell script.
//!
//! *Context:* any, also in a child of `vfork`, which borrows its parent's memory and has no profile
//! of its own.

use core::ffi::{CStr, c_char, c_int};

use gmon_system::path::Path;
use gmon_system::platform::{self, Errno};
use gmon_system::region::Scratch;
use gmon_system::{c_library, environment};

use super::fail;
use crate::linux::life;

pub(super) type Strings = *const *const c_char;

/// `execve(2)`.
///
/// # Safety
/// As for it.
#[unsafe(no_mangle)]
unsafe extern "C" fn __gmon_instead_execve(
    path: *const c_char,
    arguments: Strings,
    environment: Strings,
) -> c_int {
    fail(execute(path, arguments, environment))
}

/// `execv(3)`, also for `execl(3)`.
///
/// # Safety
/// As for these.
#[unsafe(no_mangle)]
unsafe extern "C" fn __gmon_instead_execv(path: *const c_char, arguments: Strings) -> c_int {
    fail(execute(path, arguments, c_library::environment()))
}

/// `execvp(3)`, also for `execlp(3)`.
///
/// # Safety
/// As for these.
#[unsafe(no_mangle)]
unsafe extern "C" fn __gmon_instead_execvp(file: *const c_char, arguments: Strings) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { __gmon_instead_execvpe(file, arguments, c_library::environment()) }
}

/// `execvpe(3)`.
///
/// # Safety
/// As for it.
#[unsafe(no_mangle)]
unsafe extern "C" fn __gmon_instead_execvpe(
    file: *const c_char,
    arguments: Strings,
    environment: Strings,
) -> c_int {
    /// The longest name of a file.
    const NAME_MAX: usize = 255;
    // SAFETY: the caller passes a C string.
    let file = unsafe { CStr::from_ptr(file) };
    if file.is_empty() {
        return fail(Errno(libc::ENOENT));
    }
    if file.to_bytes().contains(&b'/') {
        return fail(execute_or_interpret(file, arguments, environment));
    }
    if file.count_bytes() > NAME_MAX {
        return fail(Errno(libc::ENAMETOOLONG));
    }
    let directories = environment::search_path().unwrap_or(b"/bin:/usr/bin");
    let mut result = Errno(libc::ENOENT);
    for directory in directories.split(|byte| *byte == b':') {
        let separator: &[u8] = if directory.is_empty() { b"" } else { b"/" };
        let error = match Path::new(&[directory, separator, file.to_bytes()]) {
            Ok(path) => execute_or_interpret(path.as_c_str(), arguments, environment),
            // The directory's own is too long.
            Err(Errno(libc::ENAMETOOLONG)) => continue,
            Err(error) => error,
        };
        match error.0 {
            libc::EACCES => result = error,
            libc::ENOENT | libc::ENOTDIR | libc::ESTALE | libc::ENODEV | libc::ETIMEDOUT => {}
            _ => return fail(error),
        }
    }
    fail(result)
}

/// `fexecve(3)`.
///
/// # Safety
/// As for it.
#[unsafe(no_mangle)]
unsafe extern "C" fn __gmon_instead_fexecve(
    file: c_int,
    arguments: Strings,
    environment: Strings,
) -> c_int {
    if file < 0 || arguments.is_null() || environment.is_null() {
        return fail(Errno(libc::EINVAL));
    }
    let (empty, itself) = (c"".as_ptr(), libc::AT_EMPTY_PATH);
    fail(execute_at(file, empty, arguments, environment, itself))
}

/// `execveat(2)`.
///
/// # Safety
/// As for it.
#[unsafe(no_mangle)]
unsafe extern "C" fn __gmon_instead_execveat(
    directory: c_int,
    path: *const c_char,
    arguments: Strings,
    environment: Strings,
    flags: c_int,
) -> c_int {
    fail(execute_at(directory, path, arguments, environment, flags))
}

/// Like [`execute`], for a path that is relative to a directory.
pub(super) fn execute_at(
    directory: c_int,
    path: *const c_char,
    arguments: Strings,
    environment: Strings,
    flags: c_int,
) -> Errno {
    let attempt = || platform::execute_at(directory, path, arguments, environment, flags);
    // Of an open file the system does not tell.
    let may_succeed =
        flags & libc::AT_EMPTY_PATH != 0 || platform::may_execute(directory, path).is_ok();
    if may_succeed { replaced_by(attempt) } else { attempt() }
}

/// Returns only if it fails.
pub(super) fn execute(path: *const c_char, arguments: Strings, environment: Strings) -> Errno {
    // Programs look for others by trying: no profile is written for a file that is not there.
    match platform::may_execute(libc::AT_FDCWD, path) {
        Ok(()) => replaced_by(|| platform::execute(path, arguments, environment)),
        Err(_) => platform::execute(path, arguments, environment),
    }
}

/// Runs what replaces the program, between writing its profile and taking that back.
fn replaced_by(attempt: impl FnOnce() -> Errno) -> Errno {
    let written = life::before_exec();
    let error = attempt();
    if written {
        life::after_failed_exec();
    }
    error
}

/// Like [`execute`]; a file of no known format is handed to the shell.
fn execute_or_interpret(path: &CStr, arguments: Strings, environment: Strings) -> Errno {
    let error = execute(path.as_ptr(), arguments, environment);
    if error != Errno(libc::ENOEXEC) {
        return error;
    }
    // SAFETY: the caller of exec passes a list that ends with null, and it is not read beyond.
    let len = (0..).take_while(|i| unsafe { !(*arguments.add(*i)).is_null() }).count();
    let rest = len.saturating_sub(1);
    let shell = c"/bin/sh";
    // The shell, the script, what follows its name, and null.
    let needed = 2 + rest + 1;
    /// Words of a list that the stack has room for: memory that is mapped in a child of `vfork` stays its parent's.
    const ROOM: usize = 512;
    let mut near = [core::ptr::null::<c_char>(); ROOM];
    let mut far = None;
    let list = if needed <= ROOM {
        near.as_mut_ptr()
    } else {
        let Some(memory) = Scratch::new(needed * size_of::<*const c_char>()) else {
            return Errno(libc::ENOMEM);
        };
        far.insert(memory).as_mut_ptr().cast()
    };
    // SAFETY: both are zeroed, aligned for it, and have room for so many; the caller's list has those that are copied.
    unsafe {
        list.write(shell.as_ptr());
        list.add(1).write(path.as_ptr());
        list.add(2).copy_from_nonoverlapping(arguments.wrapping_add(1), rest);
    }
    execute(shell.as_ptr(), list, environment)
}
