//! Measured time: what call stacks say about functions, of calls between them, and how exactly.
//!
//! ```text
//! tree ─→ walk ─┬→ costs: own and total time of functions, with recursion counted once
//!               ├→ lines: callers and callees of a function, which add up to its time
//!               └→ arcs: time of each pair of caller and callee, beside counted calls
//!       precision: how far off a figure may be
//! tree ─→ top_down: the stacks of all threads as one tree
//! ```

mod bottom_up;
mod costs;
mod precision;
mod sums;
mod top_down;
mod tree;
mod walk;

pub use bottom_up::{BottomUp, CallerBranch};
pub use costs::{Caller, Line, MeasuredArc, StackCosts, ThreadChoice};
pub use precision::{Interval, Precision};
pub(crate) use sums::Sampled;
pub use top_down::{Branch, TopDown};
pub use tree::{FrameId, Node, Stack, Stacks};
pub(crate) use walk::{Step, subtotals, walk};
