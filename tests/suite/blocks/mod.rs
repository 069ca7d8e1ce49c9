//! Executions of basic blocks: `-fsanitize-coverage`, with and without a table of the blocks, and the
//! contract of old gcc's `-a`.

mod builds;
mod life;
mod members;
mod units;
