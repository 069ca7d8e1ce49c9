//! Symbols and records joined: calls between functions instead of between addresses.

mod arcs;
mod blocks;
mod contexts;
mod executions;
mod flow;
mod join;
mod stacks;
mod static_calls;

pub use arcs::{Arc, ArcId, ArcIds, Arcs};
pub use contexts::{Context, Contexts, Function, FunctionId, Grain, SourceCall, SourceLine};
pub use executions::{Executions, Stretch};
pub use join::Profile;
pub use static_calls::StaticCalls;

/// The name of the profiler's own work wherever functions are named.
pub const HOOKS: &str = "[profiling hooks]";

/// The name of all code of a module that no symbol covers, and of all that is in no module.
pub const NO_SYMBOL: &str = "[no symbol]";

/// The name of the code by which a module calls functions of others: its procedure linkage table.
pub const LINKAGE: &str = "[plt]";
