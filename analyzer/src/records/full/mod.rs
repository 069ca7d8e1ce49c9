//! Contents of full profiles beside the data of the program: modules, threads, stacks, and the calls of
//! all modules; added up over processes and builds.
//!
//! Addresses become those of their module's file as soon as they are read. So runs in which a library lay
//! elsewhere add up, and two builds of it, which have different build ids, stay apart.

mod facts;
mod figure;
mod files;
mod layout;
mod looks;
mod made;
mod marks;
mod parts;
mod reused;
mod stacks;
mod timeline;
mod times;
mod total;

pub use facts::RunFacts;
pub(crate) use facts::{PROCESSES, RANKS};
pub use figure::Figure;
pub use files::{began_us, is_full, is_of_same_run, load_full, merge_full, once_each};
pub use looks::Looks;
pub use made::{JIT, MadeCode};
pub(crate) use made::{module_of, shown_name};
pub use marks::{Interval, Stretches, TimedCall, TimedGap, TimedMark};
pub use parts::{
    CodePlace, Frame, Incomplete, Module, ModuleId, Origin, StackNode, Thread, ThreadId,
};
pub use timeline::{TimedSample, Timeline};
pub use times::{CallTimes, Times};
pub use total::{BinRange, FullRecords};
