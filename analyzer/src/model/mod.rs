//! The model of a profile, which everything that is made of profiles reads: the formats of other programs, our
//! own format, reports.
//!
//! ```text
//! measurement ─┬→ counted: functions and calls, times apportioned ─┬→ draft ─→ model ─→ writers
//!              └→ sampled: with stacks, times measured ────────────┘            ↑
//!                                                              gmon-profile/2 ──┘
//! ```
//!
//! Models, and rows of them (`gmon-rows/1`), of several builds add up by name ([`ByName`]) to one.
//!
//! Invariants: all numbers are whole. The samples of functions, of stacks and of places each add up to
//! [`Sampling::samples`], times are samples times [`Sampling::period_ns`]. The order is that of modules and
//! addresses, so the same data make the same model. Addresses are those of the modules' files. There is no
//! stack that was not sampled.

mod address;
mod anonymous;
mod apportioned;
mod beside;
mod build;
mod build_key;
mod by_name;
mod call_times;
mod choice;
mod costs;
mod counted;
mod cycles;
mod document;
mod draft;
mod errors;
mod guesses;
mod ids;
mod inlines;
mod interval;
mod kernel;
mod lines;
mod nearest;
mod origin;

mod parallel;
mod places;
mod read;
mod rows;
mod sampled;
mod shares;
mod sites;
mod slow;
mod source_lines;
mod states;
mod thread;
mod timeline;

pub use crate::analysis::stacks::{Node, Stack, Stacks};
pub use address::Address;
pub(crate) use build_key::is_build_id;
pub use by_name::ByName;
pub use call_times::CallTimes;
pub use choice::{StackChoice, StackPattern};
pub use document::{
    Arc, Cycle, Frame, Function, Generator, Inclusive, Kind, Line, LineCopy, Model, Module, Paths,
    Place, Python, Rank, Region, RegionThread, Run, SCHEMA, Sampling, Thread,
};
pub use errors::Exactness;
pub use ids::{CycleId, FileId, FrameId, FunctionId, ModuleId, ThreadId};
pub use inlines::Fold;
pub use kernel::KERNEL;
pub use parallel::Spread;
pub(crate) use sites::{Inlined, Site, samples_of_sites};
pub use slow::{Contrast, LongCall, Slow, SlowCalls};
pub use source_lines::FunctionLine;
pub use states::{State, ThreadStates};
pub use timeline::{Mark, Moment, Timeline};
