//! Profiles in the formats of other programs, one file for each.

mod lcov;

pub use lcov::write_lcov;
