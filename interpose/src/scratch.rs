//! Memory that is needed for a while.

use core::ops::DerefMut;

/// Zeroed memory, which is given back when it is dropped.
pub trait Scratch: DerefMut<Target = [u8]> + Sized {
    /// Memory of so many bytes; `None` if there is none.
    fn zeroed(len: usize) -> Option<Self>;
}

#[cfg(test)]
impl Scratch for std::vec::Vec<u8> {
    fn zeroed(len: usize) -> Option<Self> {
        Some(std::vec![0; len])
    }
}
