//! A function whose hook was interrupted where nothing but the hook's own code tells who called it.

/// What the function's registers are when the hook has returned.
pub(in super::super) struct Hooked {
    pub(in super::super) function: usize,
    /// The function's own return address.
    pub(in super::super) caller: usize,
    pub(in super::super) stack_pointer: usize,
}
