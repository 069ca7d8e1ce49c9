//! What a function leaves in its frame by the rules of the processor's calls, whatever rules for unwinding say.

/// A frame's caller, as found there.
pub(in super::super) struct Chained {
    /// Where the function returns to.
    pub(in super::super) return_address: usize,
    /// The caller's stack pointer; 0 if there is no caller.
    pub(in super::super) stack_pointer: usize,
}
