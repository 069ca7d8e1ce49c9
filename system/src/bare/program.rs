//! The program: all that runs on the board.
//!
//! *Context:* any.

use core::ops::Range;
use core::ptr::{from_ref, null_mut};
use core::sync::atomic::Ordering;

use crate::atomic::AtomicPtr;
use crate::bare::board;
use crate::bare::region::Region;

/// The program as it lies in memory.
pub struct Program {
    /// Difference between an address and the executable file's: it runs where it was linked.
    pub bias: usize,
    /// The addresses of its code.
    pub text: Range<usize>,
    /// Its first address.
    pub entry: usize,
}

impl Program {
    /// The running program; `None` if the block of memory has no room for a note of it.
    pub fn get() -> Option<&'static Self> {
        static PROGRAM: AtomicPtr<Program> = AtomicPtr::new(null_mut());
        // SAFETY: null, or what was placed for ever.
        if let Some(program) = unsafe { PROGRAM.load(Ordering::Acquire).as_ref() } {
            return Some(program);
        }
        let text = board::text();
        let program = Self { bias: 0, entry: text.start, text };
        // Two that come here at the same time make the same.
        let program: &Self = Region::map(size_of::<Self>())?.place(program);
        PROGRAM.store(from_ref(program).cast_mut(), Ordering::Release);
        Some(program)
    }

    /// Returns `true` if the runtime is linked into the program: there is nothing else.
    pub fn has_runtime(&self) -> bool {
        true
    }
}
