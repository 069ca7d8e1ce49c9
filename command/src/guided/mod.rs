//! Measurements in files for those who build the program next: compilers and linkers.

mod files;
mod made;
mod matched;
mod orders;

pub(crate) use files::{is_text, measured, order, read_text};
pub(crate) use made::Made;
pub(crate) use matched::Matched;
pub(crate) use orders::ORDERS;

/// Options of LLVM, which it has from version 10 on, that leave each branch a branch in a build that is measured. Where it chooses
/// between two values instead, one of the sides has no probe any more.
pub(crate) const KEEP_BRANCHES: [&str; 3] = [
    "-phi-node-folding-threshold=0",
    "-two-entry-phi-node-folding-threshold=0",
    "-speculate-one-expensive-inst=false",
];
