//! Where what a resolver gets differs between C libraries, so that nobody but the loader can ask it.
//!
//! *Context:* startup, hook.

/// Functions that a resolver chooses are left to the loader until it has bound them.
///
/// # Safety
/// It asks nobody.
pub(in super::super) unsafe fn resolve(_resolver: usize) -> Option<usize> {
    None
}
