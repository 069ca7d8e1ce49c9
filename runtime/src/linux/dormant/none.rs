//! Processors for which `gmon cc --dormant` makes no programs.
//!
//! *Context:* any.

use gmon_system::writable_code::Bytes;

/// No program has hooks that sleep.
pub(crate) fn are_there() -> bool {
    false
}

/// There are none.
pub(super) fn switch(_function: usize, _wake: bool) -> Option<(usize, Bytes)> {
    None
}
