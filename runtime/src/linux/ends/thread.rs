//! `pthread_create`, which the stub of this name hands to us where the runtime is preloaded: a thread that counts no call is sampled
//! from its beginning.
//!
//! *Context:* anywhere the program may call it; `find` startup.

use core::ffi::{c_int, c_void};
use core::mem::transmute;
use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicPtr, Ordering};

use gmon_system::{c_library, libc};

use crate::linux::sampler;

type Create = extern "C" fn(*mut c_void, *const c_void, *const c_void, *mut c_void) -> c_int;

/// The C library's function; null until it is known.
static CREATE: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

/// Finds the C library's function. Later the loader may be busy with a library whose start waits for a thread.
pub(crate) fn find() {
    let found = c_library::next_definition(c"pthread_create");
    CREATE.store(found.map_or(null_mut(), NonNull::as_ptr), Ordering::Relaxed);
}

/// `pthread_create(3)`.
#[unsafe(no_mangle)]
extern "C" fn __gmon_instead_pthread_create(
    thread: *mut c_void,
    attributes: *const c_void,
    start: *const c_void,
    argument: *mut c_void,
) -> c_int {
    if CREATE.load(Ordering::Relaxed).is_null() {
        find();
    }
    let Some(create) = NonNull::new(CREATE.load(Ordering::Relaxed)) else { return libc::EAGAIN };
    // SAFETY: the C library's function of this name has this type.
    let create = unsafe { transmute::<*mut c_void, Create>(create.as_ptr()) };
    let result = create(thread, attributes, start, argument);
    if result == 0 {
        sampler::meet_new_threads();
    }
    result
}
