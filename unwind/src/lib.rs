//! A stack unwinder for signal handlers, and for copies of other processes' stacks.
//!
//! ```text
//!   registers ─→ walk ─────────────────→ frames
//!                 ├→ rules ←─ cfi, exidx, expression ←─ tables of a module ─── program
//!                 └→ guess, windows ←─ processor                           ─── memory
//! ```
//!
//! [`walk()`] goes from interrupted code to its callers. What it reads comes through [`Memory`], what it knows about code
//! through [`Program`], and which [`Processor`] it is about is a parameter: so every processor's stacks can be walked on
//! any machine. It asks no system for anything, allocates nothing, has no unsafe code and ends after a bounded number of
//! steps, whatever it reads.
//!
//! | file | what it is |
//! |---|---|
//! | `walk`, `guess`, `lost`, `windows` | from interrupted code to its callers |
//! | `rules`, `tables`, `cfi`, `exidx`, `expression`, `bytes` | how a frame's caller is found |
//! | `memory`, `program`, `frames` | what a walk is given |
//! | `processor` | what differs between processors |

#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod bytes;
mod cfi;
mod exidx;
mod expression;
mod frames;
mod guess;
mod lost;
mod memory;
mod processor;
mod program;
mod rules;
mod tables;
mod walk;
mod windows;
mod word;

pub use bytes::{Bytes, OMITTED};
pub use cfi::Function;
pub use expression::{Failure, evaluate};
pub use frames::{Backtrace, Frame, Frames};
pub use memory::{Memory, Piece};
pub use processor::*;
pub use program::{OwnFrame, Program};
pub use rules::{Cfa, Packed, Row, Rule, Saved};
pub use tables::{Kind, Tables};
pub use walk::{Incomplete, walk, walk_knowing};
pub use word::Word;
