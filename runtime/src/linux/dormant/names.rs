//! The functions of the program by name, as its file lists them.
//!
//! *Context:* startup, hook.

use core::ops::Range;

use gmon_system::listed::{self, Table};
use gmon_system::platform::Own;

/// Calls `visit` with the name of each function and its addresses in the file; false if that does not list them.
pub(crate) fn each(mut visit: impl FnMut(&[u8], Range<usize>)) -> bool {
    listed::each(Own::Executable.path(), Table::All, |symbol| {
        if symbol.is_function {
            // An odd address says of Thumb code that it is such.
            let start = symbol.address & !usize::from(cfg!(target_arch = "arm"));
            visit(symbol.name, start..start.saturating_add(symbol.size));
        }
    })
}
