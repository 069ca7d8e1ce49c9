//! Where functions were inlined.

use super::functions::FunctionTable;

/// A place where a function was inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Inlining<'a> {
    /// The function that it became a part of, as debug information names it; empty if it does not.
    pub function: &'a [u8],
    /// Path of the source file of the call; empty if it is not known.
    pub file: &'a [u8],
    /// Line of the call; 0 if it is not known.
    pub line: u32,
}

impl FunctionTable {
    /// Where the function that the code at `address` was written in was inlined, and where the function
    /// around that was, and so on; nothing for one that was not.
    pub fn inlinings(&self, address: u64) -> impl Iterator<Item = Inlining<'_>> {
        let outer = self.frames(address).skip(1);
        self.frames(address).zip(outer).map(|(frame, outer)| Inlining {
            function: outer.function.map_or(b"", |function| function.name),
            file: frame.call.map_or(b"", |call| call.file),
            line: frame.call.map_or(0, |call| call.line),
        })
    }
}
