//! Everything that is computed from a profile: self times, cycles, times passed on to callers, and
//! the order in which functions are listed.

mod assign;
mod cycles;
mod graph;
mod order;
mod propagate;
mod selections;

pub use cycles::CycleId;
pub use graph::{CallGraph, Costs, Entry};
pub use propagate::{ArcKind, TimedArc};
pub use selections::{Choices, Selections};
