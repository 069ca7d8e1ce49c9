//! Environment that the caller of the program set.
//!
//! *Context:* startup, hook and exit. The C library's own list is read; nobody may change it
//! meanwhile, as for `getenv`.

use core::ffi::{CStr, c_char};

use crate::linux::c_library;
use crate::linux::program::Program;

/// A variable's value, unless the program runs with more rights than its caller, who must then not
/// direct it.
pub fn variable(name: &[u8]) -> Option<&'static [u8]> {
    if Program::get().is_none_or(|program| program.is_privileged) {
        return None;
    }
    find(name)
}

/// Folders in which the program itself looks for other programs.
pub fn search_path() -> Option<&'static [u8]> {
    find(b"PATH")
}

/// Libraries that are to be loaded before all others.
pub fn preloaded() -> Option<&'static [u8]> {
    find(b"LD_PRELOAD")
}

fn find(name: &[u8]) -> Option<&'static [u8]> {
    let mut list = c_library::environment();
    if list.is_null() {
        return None;
    }
    // SAFETY: the C library's environment: a list of C strings that ends with null.
    unsafe {
        while !(*list).is_null() {
            if let Some(value) = value_of(name, *list) {
                return Some(value);
            }
            list = list.add(1);
        }
    }
    None
}

/// The value in `entry`, if that is of the variable. Of others no more than the difference is read: the
/// environment may be long.
///
/// # Safety
/// The entry must be a C string.
unsafe fn value_of(name: &[u8], entry: *const c_char) -> Option<&'static [u8]> {
    let mut rest = entry.cast::<u8>();
    for byte in name.iter().chain(b"=") {
        // SAFETY: nothing before it ended the string.
        unsafe {
            if *rest != *byte {
                return None;
            }
            rest = rest.add(1);
        }
    }
    // SAFETY: what follows is a C string too.
    Some(unsafe { CStr::from_ptr(rest.cast()) }.to_bytes())
}
