//! Profiles in the formats of other programs: a file and a row of the table for each.

mod compressed;
mod format;
mod json;
mod lcov;

pub use compressed::Compressed;
pub use format::{Choice, FileNames, Format, Need, Table, Threads, View, Writer};

/// All formats. Names, help and refusals of commands come from here.
pub const FORMATS: &[Format] = &[json::FORMAT, lcov::FORMAT];
