//! Measurements in files for those who build the program next: compilers and linkers.

mod files;
mod made;
mod matched;

pub(crate) use files::{is_text, measured, order, read_text};
pub(crate) use made::Made;
pub(crate) use matched::Matched;
