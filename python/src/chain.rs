//! The frames of a thread, in groups: a group is what one run of the evaluator's C function executes.

use gmon_unwind::Memory;

use crate::layout::{Entry, Instruction, Layout};
use crate::read::{byte, half, pointer, word};

/// Frames of a group that are looked at.
const MOST_FRAMES: usize = 1 << 15;

/// The owner of a frame that belongs to a generator.
const GENERATOR: u8 = 1;

/// The rest of a thread's frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The next frame; 0 at the end.
    frame: u64,
    /// The control frame that it belongs to, where there are such.
    control: u64,
}

/// Frames that one run of the evaluator executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The innermost frame.
    pub first: u64,
    /// Number of frames; 0 if it has not said yet what it executes.
    pub frames: usize,
    /// An address in the frame that the C function has on its stack; `None` before 3.11.
    pub place: Option<u64>,
    /// The groups that were there before.
    pub next: Chain,
}

/// A frame: a function that is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The address of its code object.
    pub code: u64,
    /// Offset of the instruction that it executes, in bytes; [`NONE_YET`](Self::NONE_YET) before the first.
    pub offset: u32,
    /// True if it is seen as soon as it is there; another one from the [first](Layout::first_visible) instruction on that users
    /// see.
    pub is_always_visible: bool,
}

impl Frame {
    /// In place of an offset: it has not come to any instruction yet.
    pub const NONE_YET: u32 = u32::MAX;

    /// False if it has not come to any instruction yet.
    #[must_use]
    pub const fn has_begun(&self) -> bool {
        self.offset != Self::NONE_YET
    }
}

impl Chain {
    /// A frame and those before it, where there are no control frames.
    #[must_use]
    pub const fn of(frame: u64) -> Self {
        Self { frame, control: 0 }
    }

    /// The next frame; 0 at the end.
    #[must_use]
    pub const fn first(&self) -> u64 {
        self.frame
    }
}

impl Layout {
    /// The frames of a thread, by its state.
    pub fn chain(&self, memory: &mut impl Memory, thread: u64) -> Option<Chain> {
        let first = word(memory, thread.checked_add(self.offsets.thread.frame)?)?;
        match self.offsets.control {
            Some(_) => self.controlled(memory, first),
            None => Some(Chain::of(first)),
        }
    }

    /// The seat of the run of the evaluator that executes a group: an address in the frame of its C function, as far from the end
    /// of that as for any other run. `None` before 3.11.
    #[must_use]
    pub fn seat(&self, chain: Chain, group: &Group) -> Option<u64> {
        self.offsets.control.map_or(group.place, |_| Some(chain.control))
    }

    /// The frames of the run that has this seat, if that says them itself (3.11, 3.12).
    pub fn seated(&self, memory: &mut impl Memory, seat: u64) -> Option<Chain> {
        self.offsets.control?;
        self.controlled(memory, seat)
    }

    /// The frames that were there when the run began that has this seat (since 3.13).
    pub fn before(&self, memory: &mut impl Memory, seat: u64) -> Option<Chain> {
        let at = seat.checked_add(self.offsets.frame.previous)?;
        (self.offsets.control.is_none()).then_some(Chain::of(word(memory, at)?))
    }

    /// The frames of a control frame.
    fn controlled(&self, memory: &mut impl Memory, control: u64) -> Option<Chain> {
        let at = self.offsets.control?.frame;
        let frame = if control == 0 { 0 } else { word(memory, control.checked_add(at)?)? };
        Some(Chain { frame, control })
    }

    /// The innermost group of a chain; `None` at its end, and if it cannot be followed to the end of the group.
    pub fn group(&self, memory: &mut impl Memory, chain: Chain) -> Option<Group> {
        let group = self.begun(memory, chain);
        group.or_else(|| {
            let Entry::Marked { .. } = self.offsets.frame.entry else { return None };
            // What a run says that is about to begin may be anything. Those before it lie further out.
            let next = self.control_before(memory, chain.control)?;
            let is_outside = next.control > chain.control;
            let place = Some(chain.control);
            is_outside.then_some(Group { first: chain.frame, frames: 0, place, next })
        })
    }

    /// The control frame before another, with its frames.
    fn control_before(&self, memory: &mut impl Memory, control: u64) -> Option<Chain> {
        let at = control.checked_add(self.offsets.control?.previous)?;
        let before = if control == 0 { 0 } else { word(memory, at)? };
        self.controlled(memory, before)
    }

    /// The innermost group of a chain, if it has said what it executes.
    fn begun(&self, memory: &mut impl Memory, chain: Chain) -> Option<Group> {
        let Chain { frame: first, control } = chain;
        let previous = |memory: &mut _, frame: u64| {
            word(memory, frame.checked_add(self.offsets.frame.previous)?)
        };
        let mut frame = first;
        for frames in 0..MOST_FRAMES {
            if frame == 0 {
                return None;
            }
            match self.offsets.frame.entry {
                Entry::Each => {
                    let next = Chain { frame: previous(memory, frame)?, control };
                    return Some(Group { first, frames: 1, place: None, next });
                }
                Entry::Marked { at, .. } => {
                    if byte(memory, frame.checked_add(at)?)? != 0 {
                        let next = self.control_before(memory, control)?;
                        // A run that is about to begin has marked its frame, or linked it, later than it is seen itself.
                        let has_begun = next.frame == previous(memory, frame)?;
                        let frames = if has_begun { frames + 1 } else { 0 };
                        return Some(Group { first, frames, place: Some(control), next });
                    }
                }
                Entry::Owned { owner, from } => {
                    if byte(memory, frame.checked_add(owner)?)? >= from {
                        let next = Chain { frame: previous(memory, frame)?, control };
                        return Some(Group { first, frames, place: Some(frame), next });
                    }
                }
            }
            frame = previous(memory, frame)?;
        }
        None
    }

    /// The frame at an address, and the address of the one that was there before it.
    pub fn frame(&self, memory: &mut impl Memory, at: u64) -> Option<(Frame, u64)> {
        /// Bits of references that are no part of the address.
        const TAGS: u64 = 7;
        let offsets = &self.offsets.frame;
        let code = pointer(memory, at.checked_add(offsets.code)?)? & !TAGS;
        let previous = word(memory, at.checked_add(offsets.previous)?)?;
        let offset = match offsets.instruction {
            Instruction::Offset { at: place, unit } => {
                // Minus one before the first.
                let number = u32::try_from(half(memory, at.checked_add(place)?)? as i32).ok();
                number.map(|number| number.checked_mul(unit))
            }
            Instruction::Address { at: place } => {
                let address = word(memory, at.checked_add(place)?)?;
                let begin = code.checked_add(self.offsets.code.instructions)?;
                // Up to 3.12 it is that of the last instruction: before the first one there is none.
                address.checked_sub(begin).map(|offset| u32::try_from(offset).ok())
            }
        };
        let offset = offset.unwrap_or(Some(Frame::NONE_YET))?;
        let is_always_visible = match offsets.entry {
            Entry::Owned { owner, .. } | Entry::Marked { owner, .. } => {
                byte(memory, at.checked_add(owner)?)? == GENERATOR
            }
            Entry::Each => true,
        };
        Some((Frame { code, offset, is_always_visible }, previous))
    }

    /// Offset of the first instruction of a code object that users see. Before it, and in frames that are the interpreter's own,
    /// its tracebacks show none.
    pub fn first_visible(&self, memory: &mut impl Memory, code: u64) -> Option<u32> {
        const UNIT: u32 = 2;
        match self.offsets.code.first_traceable {
            Some(at) => half(memory, code.checked_add(at)?)?.checked_mul(UNIT),
            None => Some(0),
        }
    }
}
