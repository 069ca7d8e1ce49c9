//! Contents of full profiles beside the data of the program: modules, threads, stacks, and the calls of
//! all modules; added up over processes and builds.
//!
//! Addresses become those of their module's file as soon as they are read. So runs in which a library lay
//! elsewhere add up, and two builds of it, which have different build ids, stay apart.

mod facts;
mod files;
mod layout;
mod looks;
mod parts;
mod stacks;
mod timeline;
mod total;

pub(crate) use facts::RANKS;
pub use facts::RunFacts;
pub use files::{is_full, is_of_same_run, load_full, merge_full, once_each};
pub use looks::Looks;
pub use parts::{
    CodePlace, Frame, Incomplete, Module, ModuleId, Origin, StackNode, Thread, ThreadId,
};
pub use timeline::{Interval, TimedSample, Timeline};
pub use total::{BinRange, FullRecords};
