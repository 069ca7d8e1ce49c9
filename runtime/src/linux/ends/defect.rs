//! The end of a program by a defect of the runtime.

use gmon_system::{libc, platform};

/// Says that the runtime is at fault and ends the program as `abort` would.
///
/// For panic handlers of libraries that contain the runtime. Nothing in it is meant to panic: on
/// trouble it stops profiling and the program runs on. A panic is a defect of ours with unknown
/// state behind it, so no profile is written. *Context:* any.
pub fn abort() -> ! {
    platform::write_error(b"gmon: internal error in the profiling runtime, program aborted\n");
    platform::set_default(libc::SIGABRT);
    platform::raise(libc::SIGABRT);
    // The signal is blocked, or this is process 1 of a container.
    platform::exit(128 + libc::SIGABRT)
}
