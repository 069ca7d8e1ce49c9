//! Profiles in the formats of other programs: a file and a row of the table for each.

mod format;
mod lcov;

pub use format::{Format, Need};

/// All formats. Names, help and refusals of commands come from here.
pub const FORMATS: &[Format] = &[lcov::FORMAT];
