//! `_exit` and `_Exit`, which the stubs of these names hand to us.
//!
//! *Context:* any.

use core::ffi::c_int;

use crate::{life, platform};

/// Ends the process without its exit functions, but not without its profile.
#[unsafe(no_mangle)]
extern "C" fn __gmon_exit(status: c_int) -> ! {
    life::finish();
    platform::exit(status)
}
