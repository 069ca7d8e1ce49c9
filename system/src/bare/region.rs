//! Zeroed memory out of the board's block, from its start to its end.
//!
//! *Context:* any.

use core::ops::Range;
use core::ptr::NonNull;
use core::sync::atomic::Ordering;

use gmon_format::live::Block;

use crate::atomic::AtomicUsize;
use crate::bare::board;

/// Zeroed memory, aligned to [`ALIGNMENT`](Self::ALIGNMENT).
pub struct Region {
    base: NonNull<u8>,
    len: usize,
}

/// The end of what was taken; 0 before anything was.
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// Rest of the block when this much was taken.
fn rest(taken: usize) -> Range<usize> {
    let block = board::memory();
    let start = taken.max(block.start);
    start.checked_next_multiple_of(Region::ALIGNMENT).unwrap_or(block.end)..block.end
}

impl Region {
    /// Alignment of every region, in bytes.
    pub const ALIGNMENT: usize = 64;

    /// The length of the largest region that there is room for.
    pub fn room() -> usize {
        rest(TAKEN.load(Ordering::Relaxed)).len()
    }

    /// Takes `len` bytes; `None` if the block has not so many left.
    pub fn map(len: usize) -> Option<Self> {
        let end = |taken| {
            let rest = rest(taken);
            (len <= rest.len()).then(|| rest.start + len)
        };
        let before = TAKEN.fetch_update(Ordering::Relaxed, Ordering::Relaxed, end).ok()?;
        let base = NonNull::new(rest(before).start as *mut u8)?;
        // SAFETY: a part of the block, which the program leaves to the runtime, that was not taken yet.
        unsafe { base.write_bytes(0, len) };
        Some(Self { base, len })
    }

    /// Like [`map`](Self::map): there are no other processes, and no readers of what is in memory.
    pub fn map_for_process(len: usize, _content: &Block) -> Option<Self> {
        Self::map(len)
    }

    /// Nothing: the memory is there.
    pub fn populate(&self, _bytes: Range<usize>) {}

    /// The first byte. Everything up to the length asked for is readable, writable and zero.
    pub fn base(&self) -> NonNull<u8> {
        self.base
    }

    /// The bytes that were asked for.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Gives the memory back, if nothing was taken since.
    ///
    /// # Safety
    /// Nobody else may have got hold of an address in it.
    pub unsafe fn unmap(self) {
        let start = self.base.as_ptr() as usize;
        _ = TAKEN.compare_exchange(start + self.len, start, Ordering::Relaxed, Ordering::Relaxed);
    }
}
