//! Running programs whose profile lives in a file: which there are, and what is asked of them.
//!
//! ```text
//! process, name, file ─→ find ─→ attached ─→ request
//! ```
//!
//! All goes by way of the file: the program is never stopped, and gets no signal.

mod find;
mod maps;
mod request;

pub(crate) use find::{Attached, by_process, by_word, called, numbers_of, unprepared};
pub(crate) use request::{Reply, ask, ask_hooks, ask_times, control};
