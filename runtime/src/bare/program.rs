//! The program: all that runs on the board.
//!
//! *Context:* any.

use core::ops::Range;

use once_cell::race::OnceRef;

use crate::bare::board;
use crate::bare::region::Region;

/// The program as it lies in memory.
pub(crate) struct Program {
    /// What must be subtracted from an address to get the executable file's: it runs where it was linked.
    pub(crate) bias: usize,
    /// The addresses of its code.
    pub(crate) text: Range<usize>,
    /// Its first address.
    pub(crate) entry: usize,
}

impl Program {
    /// The running program; `None` if the block of memory has no room for a note of it.
    pub(crate) fn get() -> Option<&'static Self> {
        static PROGRAM: OnceRef<'static, Program> = OnceRef::new();
        PROGRAM
            .get_or_try_init(|| {
                let text = board::text();
                let program = Self { bias: 0, entry: text.start, text };
                Ok::<&Self, ()>(Region::map(size_of::<Self>()).ok_or(())?.place(program))
            })
            .ok()
    }

    /// Whether the runtime is linked into the program: there is nothing else.
    pub(crate) fn has_runtime(&self) -> bool {
        true
    }
}
