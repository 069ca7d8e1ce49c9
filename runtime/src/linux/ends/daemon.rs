//! `daemon(3)`, whose parent process ends inside the C library, where its `_exit` is out of our reach.
//!
//! So this is a `daemon` of our own, on top of the C library's `fork`. It does what the program's C
//! library would do, step by step: glibc forks first and once, musl last and twice.
//!
//! *Context:* any.

use core::ffi::c_int;

use gmon_system::c_library;
use gmon_system::platform::{self, Errno};

use super::fail;
use crate::linux::life;

/// Puts the program into the background.
#[unsafe(no_mangle)]
extern "C" fn __gmon_instead_daemon(keeps_directory: c_int, keeps_streams: c_int) -> c_int {
    let (moves, mutes) = (keeps_directory == 0, keeps_streams == 0);
    let result =
        if c_library::is_glibc() { like_glibc(moves, mutes) } else { like_musl(moves, mutes) };
    result.map_or_else(|errno| errno.map_or(-1, fail), |()| 0)
}

/// Failure, unless the C library has set `errno` already.
type Failure = Option<Errno>;

fn like_glibc(moves: bool, mutes: bool) -> Result<(), Failure> {
    go_on_in_child(life::finish)?;
    platform::begin_session()?;
    if moves {
        // glibc does not look whether it could.
        _ = platform::change_directory(c"/");
    }
    if mutes {
        platform::mute_streams(true)?;
    }
    Ok(())
}

fn like_musl(moves: bool, mutes: bool) -> Result<(), Failure> {
    if moves {
        platform::change_directory(c"/")?;
    }
    if mutes {
        platform::mute_streams(false)?;
    }
    go_on_in_child(life::finish)?;
    platform::begin_session()?;
    // The process in between has done nothing that is worth a file.
    go_on_in_child(life::abandon)
}

/// Forks; the parent ends after `leave`.
fn go_on_in_child(leave: fn()) -> Result<(), Failure> {
    match c_library::fork() {
        0 => Ok(()),
        pid if pid < 0 => Err(None),
        _ => {
            leave();
            platform::exit(0)
        }
    }
}
