//! The only calls into the kernel: nothing else in the runtime makes one. They are made directly, without
//! the C library.
//!
//! *Context:* any.

mod barrier;
mod beat;
mod call;
mod file;
mod kernel;
mod mapped_file;
mod memory;
mod offsets;
pub mod perf;
mod rights;
mod signal;
mod signal_set;
mod thread;
mod timer;

pub use barrier::{publish_code, renew_code};
pub use beat::Beat;
use call::Fd;
pub use file::{
    Directory, File, Identity, Kind, Own, Status, append, change_directory, create,
    current_directory, exchange, mute_streams, open, process_namespace, program_path, rename,
    replace, status, unlink, write_error,
};
pub use kernel::kernel_version;
pub use mapped_file::MappedFile;
pub use memory::{
    copy, copy_to, map, map_apart, map_at, map_over, populate, protect, reserve, unmap,
    wipe_on_fork,
};
pub use rights::follow_rights;
pub use signal::{
    Action, Context, Handler, Info, SignalOwner, action, change_signal_mask, handle,
    has_signal_stack, is_on_signal_stack, is_readable, is_the_kernels, pending_signals, raise,
    raise_for_process, send, sent_value, set_action, set_blocked, set_default, set_signal_stack,
    timer_value, unblock, without_cancellation, without_interruptions, without_signals,
};
pub use signal_set::{LAST_SIGNAL, SharedSignalSet, SignalSet, Signals, signal_bit};
pub use thread::{
    Blocked, OWN_STATUS, ThreadStatus, begin_session, blocked, each_thread, execute, execute_at,
    exit, exit_thread, hold, is_traced, job, may_execute, name_thread, parent_id, process_id,
    processors, set_timer_slack, sleep, sleep_milliseconds, start_thread, thread_file, thread_id,
    thread_lives, thread_name, thread_state, thread_status, timer_slack, yield_cpu,
};
pub use timer::{
    CpuClock, SECOND, Timer, interval_timer, monotonic, scheduler_tick, set_interval_timer,
    set_profiling_timer, since_boot, uptime, uptime_seconds, usage, wall_clock,
};

/// A number that tells why a system call did nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Errno(pub i32);
