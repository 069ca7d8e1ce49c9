//! The data files of `-pg` profiling, stated once for the runtime that writes them and the
//! analyzer that reads them.
//!
//! A GNU `gmon.out` is a [header] followed by [records](record) until the end of the file:
//! histograms of sampled program counters, call-graph arcs and basic-block counts. The files of
//! [BSD](bsd) and its relatives hold one histogram and the arcs. All numbers have the byte order of
//! the profiled program and addresses have its word size; neither is stored in the file, so both
//! sides need the [`Encoding`] from their callers, or guess it, see [`DataFile::encodings`].
//!
//! Other facts that both runtime and command have to know stand here as well: [`GMON_OPTIONS`](options), the [names of
//! data files](names), the [names of hooks](hooks), [hooks that sleep](dormant), [patterns](glob) of names, the
//! [paths](SourcePath) of functions, [mappings](mapping), how [calls in Thumb code](thumb) lead on, and the
//! [calendar](Date).
//!
//! Nothing here allocates, touches the system or can panic on input: reading borrows from the bytes
//! given, writing goes through a buffer and a [`Sink`] that the caller owns.

#![no_std]
#![forbid(unsafe_code)]

mod address;
pub mod blocks;
pub mod bsd;
mod date;
pub mod dormant;
mod encoding;
mod error;
pub mod glob;
pub mod header;
pub mod hooks;
pub mod ledger;
pub mod live;
pub mod mapping;
pub mod names;
pub mod options;
mod placement;
pub mod read;
pub mod record;
mod source_path;
pub mod thumb;
pub mod write;

pub use address::{CallSite, FilePc, LoadedPc, ReturnPc, SelfPc};
pub use blocks::{Block, Blocks};
pub use bsd::BsdHeader;
pub use date::Date;
pub use encoding::{ByteOrder, Encoding, WordSize};
pub use error::{Error, ErrorKind};
pub use placement::Placement;
pub use read::{Accepted, BsdFile, DataFile, Records};
pub use record::{Arc, Bins, Histogram, HistogramHeader, LoadedArc, Record};
pub use source_path::SourcePath;
pub use write::{BsdWriter, Sink, Writer};
