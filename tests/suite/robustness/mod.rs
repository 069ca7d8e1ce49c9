//! Robustness: hooks in threads that come and go, under signals at every instruction, on the smallest
//! stacks, before the program has begun, inside its allocator, and under tools that watch it.

mod interruptions;
mod libraries;
mod registers;
mod startup;
mod threads;
mod tools;

use support::{command::text_of as run, suite::Suite};

const SUITE: Suite = Suite("robustness");
