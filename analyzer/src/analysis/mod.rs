//! Everything that is computed from a profile: self times, cycles, times passed on to callers, and
//! the order in which functions are listed.

mod assign;
mod chains;
mod cycles;
mod file_order;
mod function_order;
mod graph;
mod line_executions;
mod line_samples;
mod order;
mod propagate;
mod source_costs;
pub mod stacks;

pub use cycles::CycleId;
pub(crate) use cycles::cycles_of;
pub(crate) use file_order::file_order;
pub(crate) use function_order::function_order;
pub use graph::{CallGraph, Costs, Entry};
pub(crate) use line_samples::line_samples;
pub(crate) use propagate::Flow;
pub use propagate::{ArcKind, TimedArc};
pub use source_costs::{FileCosts, FunctionStart, InlinedAt, LineCosts, SourceCosts};
