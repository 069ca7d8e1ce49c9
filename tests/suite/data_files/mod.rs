//! Data files through the whole command: merged, converted, summed in large numbers, read from the
//! standard input, and damaged.

mod bbconv;
mod differences;
mod files;
mod limits;
mod merge;
mod one_answer;
mod progress;
mod stdin;
mod sums;
