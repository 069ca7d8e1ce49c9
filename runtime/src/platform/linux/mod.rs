//! Linux, by its system calls.
//!
//! *Context:* any.

mod file;
mod memory;
mod signal;
mod thread;
mod timer;

pub(crate) use file::{File, create, current_directory, open, rename, unlink, write_error};
pub(crate) use memory::{map, unmap, wipe_on_fork};
pub(crate) use signal::{
    Context, Handler, Info, SignalOwner, handle, raise, set_default, without_signals,
};
pub(crate) use thread::{process_id, thread_id, thread_lives};
pub(crate) use timer::set_profiling_timer;

/// A number that tells why a system call did nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Errno(pub(crate) i32);

fn check(result: isize) -> Result<usize, Errno> {
    usize::try_from(result).map_err(|_| Errno(-result as i32))
}
