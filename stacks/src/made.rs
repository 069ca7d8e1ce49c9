//! Code that the runtime made, as the stubs of calls into libraries: it changes no stack and ends with a jump, so that
//! whoever is in it is as good as called.
//!
//! *Context:* any.

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

/// Pieces that are known. Samples in further ones are taken for code that nobody knows.
const MOST: usize = 32;

/// Start and end of each.
static PIECES: [[AtomicUsize; 2]; MOST] = [const { [const { AtomicUsize::new(0) }; 2] }; MOST];

/// Notes a piece of code, which stays.
pub(super) fn note(code: &Range<usize>) {
    for [start, end] in &PIECES {
        // The end comes last: until then nothing lies in the piece.
        let take = start.compare_exchange(0, code.start, Ordering::Relaxed, Ordering::Relaxed);
        if take.is_ok() {
            return end.store(code.end, Ordering::Release);
        }
    }
}

/// Returns `true` if an address is in such code.
pub(super) fn has(pc: usize) -> bool {
    let is_in = |[start, end]: &[AtomicUsize; 2]| {
        let end = end.load(Ordering::Acquire);
        pc < end && start.load(Ordering::Relaxed) <= pc
    };
    PIECES.iter().take_while(|[start, _]| start.load(Ordering::Relaxed) != 0).any(is_in)
}
