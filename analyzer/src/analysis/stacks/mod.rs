//! Measured time: what call stacks say about functions, of calls between them, and how exactly.
//!
//! ```text
//! contexts ─→ walk ─┬→ costs: own and total time of functions, with recursion counted once
//!                   ├→ lines: callers and callees of a function, which add up to its time
//!                   └→ arcs: time of each pair of caller and callee, beside counted calls
//!           precision: how far off a figure may be
//! contexts ─→ top_down: the stacks of all threads as one tree
//! ```

mod costs;
mod precision;
mod sums;
mod top_down;
mod walk;

pub use costs::{Caller, Line, MeasuredArc, StackCosts, ThreadChoice};
pub use precision::{Interval, Precision};
pub use top_down::{Branch, TopDown};
