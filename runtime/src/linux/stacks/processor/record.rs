//! What functions that keep a frame pointer leave where it points to.

/// Where things lie, in bytes from what the frame pointer points to.
#[derive(Clone, Copy)]
pub(in super::super) struct Record {
    /// The caller's frame pointer.
    pub(in super::super) frame_pointer: isize,
    /// Where the function returns to.
    pub(in super::super) return_address: isize,
    /// The caller's stack pointer, or one that it is not below.
    pub(in super::super) end: usize,
    /// Whether it is the caller's stack pointer.
    pub(in super::super) ends_frame: bool,
}
