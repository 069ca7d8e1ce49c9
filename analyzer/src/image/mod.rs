//! The profiled executable: where its code and symbols lie, and which source lines made it.

mod code;
mod elf;
mod lines;

pub(crate) use code::InstructionSet;
pub use elf::Image;
pub(crate) use elf::{ElfSymbol, Place};
pub use lines::{Lines, Location};
