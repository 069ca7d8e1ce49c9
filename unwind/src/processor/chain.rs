//! Traces that a function leaves in its frame by the rules of the processor's calls, whatever rules for unwinding say.

/// A frame's caller, as found there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chained<W> {
    /// Address that the function returns to.
    pub return_address: W,
    /// The caller's stack pointer; 0 if there is no caller.
    pub stack_pointer: W,
}
