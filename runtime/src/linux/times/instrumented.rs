//! Programs built with `-finstrument-functions`, whose functions call a hook at their ends, too.
//!
//! *Context:* any.

use core::sync::atomic::{AtomicBool, Ordering};

use gmon_system::listed::{self, Table};
use gmon_system::platform::Own;

static IS_KNOWN: AtomicBool = AtomicBool::new(false);
static HAS_LOOKED: AtomicBool = AtomicBool::new(false);

/// Returns `true` if the program has called such a hook, or its file refers to it.
pub(super) fn is_program() -> bool {
    const EXIT: &[u8] = b"__cyg_profile_func_exit";
    if !HAS_LOOKED.swap(true, Ordering::Relaxed) {
        let mut tables = [Table::All, Table::Shared].into_iter();
        if tables.any(|table| listed::refers_to(Own::Executable.path(), table, EXIT)) {
            note();
        }
    }
    IS_KNOWN.load(Ordering::Relaxed)
}

/// Notes that the program has called a hook of theirs.
pub(super) fn note() {
    // Threads that only read it do not wait for each other.
    if !IS_KNOWN.load(Ordering::Relaxed) {
        IS_KNOWN.store(true, Ordering::Relaxed);
    }
}
