//! Records that functions with a frame pointer leave where it points to.

/// Places of things, in bytes from what the frame pointer points to.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// The caller's frame pointer.
    pub frame_pointer: isize,
    /// Address that the function returns to.
    pub return_address: isize,
    /// The caller's stack pointer, or one that it is not below.
    pub end: usize,
    /// True if it is the caller's stack pointer.
    pub ends_frame: bool,
}
