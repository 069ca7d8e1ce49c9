//! What a running program has counted since the last look and in all: by function, call, thread.
//!
//! ```text
//! live file ─→ changes ─┬→ sums
//!              code ────┘
//! ```
//!
//! Reports read a live file once, and compute all that can be known. Here a file is read again and again, and
//! only what has changed is looked at: entries of a live file stay where they are. Functions are those that have
//! code of their own; what was inlined counts for them.

mod changes;
mod code;
mod follower;
mod sums;

pub use code::{Function, NO_SYMBOL};
pub use follower::{Follower, Thread};
pub use sums::{Call, Change, Changes, Sums, Tally, growth};
