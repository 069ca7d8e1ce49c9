//! The loaded modules of a process: where their code calls functions of libraries, and how such calls are led elsewhere.
//!
//! ```text
//!   headers ─→ image ─┬─→ dynamic ─→ symbols ─→ which function a call means
//!                     ├─→ slots ──→ called ───→ words that code only calls by
//!                     └─→ call_sites ─────────→ places that call by all others
//!   processor ───────────────────────────────→ code that stands before a function
//! ```
//!
//! Code calls a function of another module by way of a word that the loader fills, its slot. Whoever points the slot at a
//! [stub](Processor::stub) stands before the function. This package finds the slots, tells which of them may be changed
//! without anybody noticing, and makes the code of stubs. It changes nothing itself: that is left to its users, who know the
//! system.
//!
//! | file | what it is |
//! |---|---|
//! | [`elf`] | modules as the loader has mapped them; every read is checked |
//! | `dynamic`, `symbols`, [`slots`] | what a module's tables say |
//! | `called` | which slots code only calls by |
//! | `call_sites` | the places that call by a slot whose address is taken, too |
//! | `instruction`, `decode` | what an instruction does with registers; instructions of x86-64 |
//! | `processor` | what differs between processors |

#![no_std]

#[cfg(test)]
extern crate std;

mod call_sites;
mod called;
mod decode;
mod dynamic;
pub mod elf;
#[cfg(all(test, target_pointer_width = "64"))]
mod fuzz;
mod instruction;
#[cfg(all(test, target_arch = "x86_64"))]
mod oracle;
mod processor;
mod scratch;
pub mod slots;
mod symbols;

pub use call_sites::sites::{Site, Sites};
pub use called::Called;
pub use dynamic::Dynamic;
pub use instruction::{Instruction, Registers, Then, Word, WordUse};
pub use processor::*;
pub use scratch::Scratch;
pub use symbols::{Defined, Hash, STT_FUNC, STT_GNU_IFUNC, Symbols, Wanted};
