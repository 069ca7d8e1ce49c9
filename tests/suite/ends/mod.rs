//! Ends and interludes: whatever ends a program, it ends as it would have without a profile, and
//! leaves a whole one; and a program can have its profile written, paused and reset while it runs.

mod control;
mod destructors;
mod endings;
mod snapshots;

use support::suite::Suite;

const SUITE: Suite = Suite("ends");
