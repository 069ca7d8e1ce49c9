//! The ends of a process that run no exit functions: the profile is written before each, and the
//! process then ends exactly as it would have.

mod daemon;
mod defect;
mod dlclose;
mod exec;
mod exit;
pub(crate) mod fatal;
mod interval;
mod mask;
mod sigaction;
mod system_call;
pub(crate) mod thread;
mod wrapped;

pub use defect::abort;

use core::ffi::{c_int, c_long};

use gmon_system::c_library;
use gmon_system::platform::Errno;

/// Failure of a C function of ours: it tells why, and returns -1.
fn fail(error: Errno) -> c_int {
    c_library::set_errno(error.0);
    -1
}

/// [`fail`] for the stubs.
#[unsafe(no_mangle)]
extern "C" fn __gmon_fail(error: c_int) -> c_long {
    fail(Errno(error)).into()
}
