//! The nodes of the trees that hold the stacks.

use super::{KernelWeight, field, put, word};
use crate::{Encoding, LoadedPc, WordSize};

/// A frame, called by those above it: an entry of a block of stacks.
///
/// A node's place in its block is its identity. The path to the outermost frame leads over the
/// [`parent`](Self::parent)s. The nodes of a block are a forest of its own: another block may have the
/// same stacks again, and their weights add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackNode {
    /// An address in the call that the frame executes, or the one where the thread was interrupted, in
    /// the process; below [`Label::END`](super::Label::END) a label.
    pub pc: LoadedPc,
    /// The position of the caller's node in the same block; `None` for the outermost.
    pub parent: Option<u32>,
    /// True if the frame was found by looking for what might be a return address.
    pub is_guess: bool,
    /// Signals whose stack ended here.
    pub samples: u32,
    /// Weight of the stacks that ended here, in the histogram's unit.
    pub weight: u64,
    /// The part of it in which the kernel worked.
    pub kernel: KernelWeight,
}

impl StackNode {
    /// Size in bytes.
    pub const LEN: usize = 32;

    /// Size of one that says nothing of the kernel.
    pub const LEAST_LEN: usize = 24;

    /// The bit of the parent's field that marks a guess.
    pub const GUESS: u32 = 1 << 31;

    /// The entry's bytes. A node with a pc of 0 is free.
    #[must_use]
    pub fn encode(&self, encoding: Encoding) -> [u8; Self::LEN] {
        let size = encoding.word.bytes();
        let parent = self.parent.map_or(0, |parent| parent.saturating_add(1) & !Self::GUESS);
        let parent = parent | if self.is_guess { Self::GUESS } else { 0 };
        let mut bytes = [0; Self::LEN];
        match encoding.word {
            WordSize::Four => put(&mut bytes, 0, &encoding.u32_bytes(self.pc.0 as u32)),
            WordSize::Eight => put(&mut bytes, 0, &encoding.u64_bytes(self.pc.0)),
        }
        put(&mut bytes, size, &encoding.u32_bytes(parent));
        put(&mut bytes, size + 4, &encoding.u32_bytes(self.samples));
        put(&mut bytes, 16, &encoding.u64_bytes(self.weight));
        put(&mut bytes, 24, &encoding.u32_bytes(self.kernel.calls));
        put(&mut bytes, 28, &encoding.u32_bytes(self.kernel.faults));
        bytes
    }

    /// The node of an entry; `None` if it is free.
    #[must_use]
    #[inline]
    pub fn decode(entry: &[u8], encoding: Encoding) -> Option<Self> {
        let size = encoding.word.bytes();
        let pc = word(encoding, entry, 0);
        let parent = encoding.u32(field(entry, size));
        (pc != 0).then(|| Self {
            pc: LoadedPc(pc),
            parent: (parent & !Self::GUESS).checked_sub(1),
            is_guess: parent & Self::GUESS != 0,
            samples: encoding.u32(field(entry, size + 4)),
            weight: encoding.u64(field(entry, 16)),
            kernel: KernelWeight {
                calls: encoding.u32(field(entry, 24)),
                faults: encoding.u32(field(entry, 28)),
            },
        })
    }
}
