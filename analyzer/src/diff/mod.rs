//! Differences between two sides, each of one run or several: usually a program before and after a change.
//!
//! ```text
//! models of a side ─→ side ─┐
//! models of the other ──────┴→ matching ─→ comparison: counts, times, times of calls ─→ limits
//!                              statistics, correction ──────────↗
//! ```
//!
//! Calls are facts: two counts differ or they do not. Times are estimates from samples, so each difference has
//! an interval and the probability that chance alone makes one as large. Apportioned times are not compared: they
//! change with the calls of others.

mod beta;
mod call_times;
mod comparison;
mod correction;
mod counts;
mod design;
mod identity;
mod limit;
mod matching;
mod parallel;
mod runs;
mod sensitivity;
mod shift;
mod side;
mod stacks;
mod statistics;
mod suspect;
mod times;

pub use call_times::{CallTimes, Growth};
pub use comparison::{ArcChange, Comparison, FunctionChange, LEAST_SHARE, Presence, SHOWN};
pub use counts::{Counts, least_p};
pub use design::Design;
pub use limit::{Judged, Limit, Metric, RUNS_FOR_TIMES, Reason, Verdict};
pub use parallel::{SharedWork, Sharing};
pub use runs::{FunctionRuns, across_runs};
pub use stacks::{StackPair, stack_pairs};
pub use statistics::{exact_p, quantile_of_t};
pub use suspect::Suspect;
pub use times::{Change, Times};
