//! Processors on which exits of functions do not sleep.
//!
//! *Context:* any.

use super::Code;

/// There is none.
pub(crate) fn exit_target() -> Option<usize> {
    None
}

/// There is none.
pub(crate) fn is_exit(_exit: usize) -> bool {
    false
}

/// No function has a hook that stands beside exits which sleep.
pub(crate) fn hook_of(_function: usize) -> Option<usize> {
    None
}

impl Code {
    /// There is none.
    pub(crate) fn switch_exit(&mut self, _exit: usize, _wake: bool) {}
}
