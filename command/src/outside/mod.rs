//! Processes that nobody has prepared: sampled from outside, by the kernel.
//!
//! ```text
//! session ─┬→ rights, bells                                       ┌→ recover → data files
//!          └→ process ─┬→ walk ←─ space ←─ files ←─ elf ─→ live file ──┴→ gmon top
//!                      ├→ python                ↑
//!                      ├→ tree ─────────────────┤
//!                      ├→ times ────────────────┤
//!                      └→ made, counted ────────┘
//! ```
//!
//! Nothing is put into the processes, and they are never stopped. What is found is written as their own runtime would write
//! it, so that all who read profiles can read it.

mod bells;
mod beyond;
mod counted;
mod elf;
mod facts;
mod file;
mod files;
mod index;
mod made;
mod process;
mod python;
mod rights;
mod session;
mod space;
mod times;
mod tree;
mod walk;
mod watched;

pub(crate) use file::LiveFile;
pub(crate) use process::Process;
pub(crate) use session::{Sampler, Wanted};
pub(crate) use space::folder_of;
pub(crate) use watched::{Watch, Watched};
