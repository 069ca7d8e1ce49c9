//! Profiles for those who build the program next: the order of its code for linkers, and how often its lines run for
//! compilers.

mod executions;
mod gcc;
mod instances;
mod llvm;
mod order;

pub(super) use gcc::FORMAT as GCC;
pub(super) use llvm::FORMAT as LLVM;
pub(super) use order::{CALL_GRAPH, SECTIONS, SYMBOLS};
