//! Linux, by its system calls.
//!
//! *Context:* any.

mod file;
mod memory;
mod signal;
mod thread;
mod timer;

pub(crate) use file::{
    Directory, File, Identity, Status, create, current_directory, open, rename, status, unlink,
    write_error,
};
pub(crate) use memory::{map, map_at, unmap, wipe_on_fork};
pub(crate) use signal::{
    Action, Context, Info, SignalOwner, action, handle, has_signal_stack, raise, set_action,
    set_default, set_signal_stack, unblock, without_signals,
};
pub(crate) use thread::{
    execute, execute_file, exit, may_execute, parent_id, process_id, sleep_milliseconds, thread_id,
    thread_lives,
};
pub(crate) use timer::{set_profiling_timer, uptime_seconds};

/// A number that tells why a system call did nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Errno(pub(crate) i32);

fn check(result: isize) -> Result<usize, Errno> {
    usize::try_from(result).map_err(|_| Errno(-result as i32))
}
