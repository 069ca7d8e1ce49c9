//! `dlclose`, which the stub of this name hands to us: walks of stacks may be reading the rules of what it unmaps.
//!
//! *Context:* anywhere the program may call it.

use core::ffi::{c_int, c_void};
use core::mem::transmute;

use gmon_system::c_library;

type Close = extern "C" fn(*mut c_void) -> c_int;

/// `dlclose(3)`. Without a loader that could unload, everything stays, which the standard allows.
#[unsafe(no_mangle)]
extern "C" fn __gmon_instead_dlclose(handle: *mut c_void) -> c_int {
    let Some(close) = c_library::next_definition(c"dlclose") else { return 0 };
    // SAFETY: the C library's function of this name has this type.
    let close = unsafe { transmute::<*mut c_void, Close>(close.as_ptr()) };
    gmon_stacks::unload(|| close(handle))
}
