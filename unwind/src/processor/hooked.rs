//! A function whose hook was interrupted where nothing but the hook's own code tells who called it.

/// Registers of the function when the hook has returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hooked<W> {
    /// Address that the hook returns to.
    pub function: W,
    /// The function's own return address.
    pub caller: W,
    /// The function's stack pointer.
    pub stack_pointer: W,
}
