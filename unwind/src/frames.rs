//! The frames of a stack, as a walk finds them.

use core::ops::Deref;

/// A frame of a stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The interrupted instruction, or an address inside of the call.
    pub pc: u64,
    /// True if no unwind rules led to it, so that it may be none.
    pub is_guess: bool,
    /// The stack pointer there: the frame's memory ends where that of its caller begins. 0 if it is not known.
    pub stack_pointer: u64,
}

/// Receiver of the frames of a stack, the innermost first.
pub trait Frames {
    /// Forgets all frames: the walk begins again.
    fn clear(&mut self);

    /// Takes a frame; false if there is no room.
    fn push(&mut self, frame: Frame) -> bool;
}

/// The frames of a stack, up to `LEN` of them, the innermost first.
#[derive(Clone, Copy, Debug)]
pub struct Backtrace<const LEN: usize> {
    frames: [Frame; LEN],
    len: usize,
}

impl<const LEN: usize> Backtrace<LEN> {
    /// An empty one.
    #[must_use]
    pub const fn new() -> Self {
        Self { frames: [Frame { pc: 0, is_guess: false, stack_pointer: 0 }; LEN], len: 0 }
    }
}

impl<const LEN: usize> Default for Backtrace<LEN> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const LEN: usize> Deref for Backtrace<LEN> {
    type Target = [Frame];

    fn deref(&self) -> &[Frame] {
        self.frames.get(..self.len).unwrap_or_default()
    }
}

impl<const LEN: usize> Frames for Backtrace<LEN> {
    fn clear(&mut self) {
        self.len = 0;
    }

    fn push(&mut self, frame: Frame) -> bool {
        let place = self.frames.get_mut(self.len);
        let fits = place.map(|place| *place = frame).is_some();
        self.len += usize::from(fits);
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_that_find_no_room_are_refused() {
        let mut frames = Backtrace::<2>::new();
        let [a, b, c] = [1, 2, 3].map(|pc| Frame { pc, ..Frame::default() });
        assert_eq!([a, b, c].map(|frame| frames.push(frame)), [true, true, false]);
        assert_eq!(*frames, [a, b]);
        frames.clear();
        assert!(frames.is_empty() && frames.push(c));
        assert_eq!(*frames, [c]);
    }
}
