//! Counts of a running program, since the last look and in all: by function, call, thread.
//!
//! ```text
//! live file ─┬→ calls ───┬→ counted
//!            ├→ changes ─┤
//!            └→ times    │
//!               code ────┘
//! ```
//!
//! Reports read a live file once, and compute all that can be known. Here a file is read again and again, and
//! only what has changed is looked at: entries of a live file stay where they are. Functions are those that have
//! code of their own; what was inlined counts for them.

mod calls;
mod changes;
mod code;
mod counted;
mod follower;
mod sums;
mod times;

pub use code::Function;
pub use counted::{Changes, Counted, Tally};
pub use follower::{Follower, Thread};
pub use sums::{Call, Change, Sums, growth};
pub use times::{Timed, TimedFunctions};
