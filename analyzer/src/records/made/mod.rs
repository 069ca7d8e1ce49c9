//! Code that compilers made at run time, as they tell of it: maps as perf reads them, and dumps (jitdump).
//!
//! Either may be huge, cut short, or of somebody who means harm: whatever makes no sense is passed over. Of what there is,
//! only code is taken that samples lie in.

mod jitdump;
mod named;
mod needed;
mod perf_map;
mod readable;

pub use jitdump::Jitdump;
pub use named::{NamedCode, nameless};
pub use needed::{Needed, needed};
pub use perf_map::perf_map;
pub use readable::{Readable, readable};

/// Code at some addresses of a process, from some time on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Made<'a> {
    /// The lowest address.
    pub start: u64,
    /// The address behind the highest.
    pub end: u64,
    /// When it came, in nanoseconds by the monotonic clock; `None` if that is not known.
    pub from: Option<u64>,
    /// The name, as the compiler tells it.
    pub name: &'a [u8],
    /// The source file; empty if it is not known.
    pub file: &'a [u8],
    /// Lines, each with the offset from the start at which its code begins, in ascending order.
    pub lines: Vec<(u32, u32)>,
}
