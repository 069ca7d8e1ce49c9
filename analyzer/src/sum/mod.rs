//! Writes the sum of data files as a data file.

mod behind;
mod blocks;
mod bsd;
mod code;
mod contents;
mod full;
mod gnu;
mod sink;
mod whole_file;

pub use behind::{with_code, with_steps};
pub use blocks::write_blocks;
pub use code::CodeEntries;
pub use contents::Sum;
pub use full::write_full;
pub use whole_file::{
    SHARED, behind_links, create_file, open_output, replace_file, replace_private_file,
};
