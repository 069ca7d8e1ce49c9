//! Executions of basic blocks: `-fsanitize-coverage`, with and without a table of the blocks, and the
//! contract of old gcc's `-a`.

#[path = "../support/mod.rs"]
mod support;

mod builds;
mod life;
mod members;
mod units;
