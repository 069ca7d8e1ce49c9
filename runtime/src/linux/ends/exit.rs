//! `_exit`, `_Exit`, `abort` and the end of what `clone` started, which the stubs of these names hand
//! to us.
//!
//! *Context:* any.

use core::ffi::c_int;

use gmon_system::{libc, platform};

use crate::linux::{life, sampler};

/// Ends the process without its exit functions, but not without its profile.
#[unsafe(no_mangle)]
extern "C" fn __gmon_instead__exit(status: c_int) -> ! {
    end_process(status)
}

pub(super) fn end_process(status: c_int) -> ! {
    life::finish();
    platform::exit(status)
}

/// `abort(3)`. A handler of the program that does not come back is the last word; after one that
/// does, the profile is written before the default action is taken.
#[unsafe(no_mangle)]
extern "C" fn __gmon_instead_abort() -> ! {
    platform::unblock(libc::SIGABRT);
    platform::raise(libc::SIGABRT);
    life::finish();
    platform::set_default(libc::SIGABRT);
    loop {
        platform::raise(libc::SIGABRT);
    }
}

/// The end of a function that `clone(2)` was given: of a thread, or of a process that may have a
/// profile of its own.
#[unsafe(no_mangle)]
extern "C" fn __gmon_clone_end(status: c_int) -> ! {
    let own = platform::thread_id();
    if own == platform::process_id() {
        life::finish();
        if is_only_one(own) {
            platform::exit(status);
        }
    }
    platform::exit_thread(status)
}

/// Returns `true` if the process has no other threads but ours, which must not have it live on.
fn is_only_one(own: i32) -> bool {
    let mut others = 0;
    let listed = platform::each_thread(&mut [0; 512], |tid| {
        others += usize::from(tid != own && !sampler::has_thread(tid));
    });
    listed.is_ok() && others == 0
}
