//! A board without a system: its program brings a block of memory, ticks and a sink for bytes ([`board`]).
//!
//! *Context:* as each module says.

pub mod board;
pub mod message;
pub mod program;
pub mod region;
