//! The profiled executable: where its code and symbols lie, and which source lines made it.

mod elf;
mod lines;

pub use elf::Image;
pub(crate) use elf::{ElfSymbol, Place};
pub use lines::{Lines, Location};
