//! The stacks of CPython's interpreter, read from its memory.
//!
//! ```text
//!   _PyRuntime ─→ layout ─→ threads ─→ chain ─→ frames ─→ code ─→ lines, text
//! ```
//!
//! The interpreter keeps its frames in structures whose layout depends on its version. A [`Layout`] is that of one interpreter in
//! one process: from 3.13 on an interpreter describes itself, and for older ones there are tables here. Everything is read through
//! [`Memory`](gmon_unwind::Memory), which may refuse any address. Nothing is believed: whatever is read, each call ends after a
//! bounded number of steps.
//!
//! | file | what it is |
//! |---|---|
//! | `interpreter` | what the symbols of a file say of the interpreter in it |
//! | `layout`, `tables`, `described` | where everything lies, by version or as the interpreter describes itself |
//! | `threads` | the state of a thread |
//! | `chain` | the frames of a thread, in groups that one run of the evaluator executes |
//! | `code` | names and files of code |
//! | `lines` | from instructions to lines |
//! | `text` | strings |

#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod chain;
mod code;
mod described;
mod interpreter;
mod layout;
mod lines;
mod read;
mod tables;
mod text;
mod threads;

pub use chain::{Chain, Frame, Group};
pub use code::Code;
pub use interpreter::{Interpreter, Symbols};
pub use layout::{Layout, Version};
pub use threads::ThreadId;
