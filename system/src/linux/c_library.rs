//! The functions of the C library that the runtime uses, each if the program has it.
//!
//! *Context:* as each says.

use core::ffi::{CStr, c_char, c_int, c_ulong, c_void};
use core::ptr::{NonNull, null_mut};
use core::sync::atomic::{AtomicPtr, Ordering};

type Handler = extern "C" fn();

/// The type of `profil`: counts, their size in bytes, lowest address, scale.
type Profil = extern "C" fn(*mut u16, usize, usize, u32) -> c_int;

/// The list in `asm/shared.linux.S`: addresses of the symbols of these names, or null. Their types are those
/// of the documents named below.
#[repr(C)]
struct CLibrary {
    cxa_atexit:
        Option<extern "C" fn(extern "C" fn(*mut c_void), *mut c_void, *mut c_void) -> c_int>,
    at_quick_exit: Option<extern "C" fn(Handler) -> c_int>,
    cxa_at_quick_exit: Option<extern "C" fn(Handler, *mut c_void) -> c_int>,
    pthread_atfork: Option<extern "C" fn(Handler, Handler, Handler) -> c_int>,
    fork: Option<extern "C" fn() -> c_int>,
    register_atfork: Option<extern "C" fn(Handler, Handler, Handler, *mut c_void) -> c_int>,
    profil: Option<Profil>,
    getauxval: Option<extern "C" fn(c_ulong) -> c_ulong>,
    errno_location: Option<extern "C" fn() -> *mut c_int>,
    environ: *const *const *const c_char,
    libc_setup_tls: Option<Handler>,
    init_tls: Option<Handler>,
    /// In the member that has `dlclose`, which alone needs it.
    dlsym: Option<&'static Option<Dlsym>>,
    /// In the member that has `syscall`, which goes on to what this says.
    next_syscall: Option<&'static AtomicPtr<c_void>>,
}

/// The type of `dlsym`.
type Dlsym = extern "C" fn(*mut c_void, *const c_char) -> *mut c_void;

// SAFETY: addresses of functions, and of a variable that is only read under the rules of `getenv`.
unsafe impl Sync for CLibrary {}

unsafe extern "C" {
    safe static __gmon_c_library: CLibrary;
}

/// Returns `true` if the program contains a C library that is to set up thread-local storage: by
/// the names that glibc and musl have for that in static programs only. *Context:* any.
pub fn sets_up_threads() -> bool {
    __gmon_c_library.libc_setup_tls.is_some() || __gmon_c_library.init_tls.is_some()
}

/// Registers a function to be called at exit (Itanium C++ ABI, 3.3.6.3). *Context:* startup: calls the
/// C library.
pub fn at_exit(function: extern "C" fn(*mut c_void)) {
    if let Some(register) = __gmon_c_library.cxa_atexit {
        register(function, null_mut(), null_mut());
    }
}

/// Registers a function to be called by `quick_exit`. *Context:* startup: calls the C library.
pub fn at_quick_exit(function: Handler) {
    // at_quick_exit(3) is C's; in glibc it is not exported but a wrapper around the other, whose
    // last argument names the object to be unloaded with, here none.
    if let Some(register) = __gmon_c_library.cxa_at_quick_exit {
        register(function, null_mut());
    } else if let Some(register) = __gmon_c_library.at_quick_exit {
        register(function);
    }
}

/// Registers functions to be called around `fork`: before it, after it in the parent, and in the
/// child. *Context:* startup: calls the C library.
pub fn at_fork(prepare: Handler, parent: Handler, child: Handler) {
    // pthread_atfork(3) is POSIX's; in glibc it is not exported but a wrapper around the other,
    // whose last argument names the object to be unloaded with, here none.
    if let Some(register) = __gmon_c_library.register_atfork {
        register(prepare, parent, child, null_mut());
    } else if let Some(register) = __gmon_c_library.pthread_atfork {
        register(prepare, parent, child);
    }
}

/// Forks by fork(2), with all that the program wants to be done around it: what that returns, with `errno`
/// set. *Context:* any: calls the C library.
pub fn fork() -> c_int {
    __gmon_c_library.fork.map_or_else(
        || {
            set_errno(libc::ENOSYS);
            -1
        },
        |fork| fork(),
    )
}

/// Returns `true` if it is glibc, by names that no other has. *Context:* any.
pub fn is_glibc() -> bool {
    __gmon_c_library.register_atfork.is_some() || __gmon_c_library.libc_setup_tls.is_some()
}

/// The C library's profil(3), which only makes system calls.
pub fn profil() -> Option<Profil> {
    __gmon_c_library.profil
}

/// A value of the auxiliary vector by getauxval(3), which only reads; 0 if it is not there, `None`
/// without that function. *Context:* any.
pub fn auxiliary_value(kind: c_ulong) -> Option<c_ulong> {
    __gmon_c_library.getauxval.map(|get| get(kind))
}

/// Sets `errno`, where a function of ours takes the place of the C library's. *Context:* any.
pub fn set_errno(value: c_int) {
    if let Some(place) = __gmon_c_library.errno_location {
        // SAFETY: by this function glibc and musl find the calling thread's errno.
        unsafe { *place() = value };
    }
}

/// Returns `true` if the environment can be read: false before the C library's own start-up.
/// *Context:* any.
pub fn has_environment() -> bool {
    __gmon_c_library.environ.is_null() || !environment().is_null()
}

/// The environment: a list of C strings that ends with null. *Context:* any.
pub fn environment() -> *const *const c_char {
    // SAFETY: null or the address of the variable environ(7).
    let environ = unsafe { __gmon_c_library.environ.as_ref() };
    environ.map_or(core::ptr::null(), |list| *list)
}

/// The definition of a function that comes after the runtime's own; `None` if there is none, or no dynamic
/// loader. *Context:* any but a hook or a signal: calls the C library.
pub fn next_definition(name: &CStr) -> Option<NonNull<c_void>> {
    let find = (*__gmon_c_library.dlsym?)?;
    NonNull::new(find(libc::RTLD_NEXT, name.as_ptr()))
}

/// Has the stub of `syscall` go on to the C library's own with all system calls that are not ours. *Context:* startup:
/// calls the C library.
pub fn find_syscall() {
    if let Some(place) = __gmon_c_library.next_syscall {
        let found = next_definition(c"syscall").map_or(null_mut(), NonNull::as_ptr);
        place.store(found, Ordering::Relaxed);
    }
}
