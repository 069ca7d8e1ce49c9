//! Writes the sum of data files as a data file.

mod blocks;
mod bsd;
mod contents;
mod gnu;
mod sink;
mod whole_file;

pub use blocks::write_blocks;
pub use contents::Sum;
pub use whole_file::{create_file, replace_file};
