//! Processors for which `gmon cc --dormant` makes no programs.
//!
//! *Context:* any.

/// No program has hooks that sleep.
pub(super) fn has_dormant_hooks() -> bool {
    false
}

/// There are none.
pub(super) fn hook_of(_function: usize) -> Option<(usize, bool)> {
    None
}

/// Nobody asks.
pub(super) fn first(_is_awake: bool) -> u8 {
    0
}
