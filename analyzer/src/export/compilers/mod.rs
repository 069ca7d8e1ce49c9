//! Profiles for those who build the program next: the order of its code for linkers, and how often its lines run for
//! compilers.

mod build;
mod code_profile;
mod executions;
mod gcc;
mod instances;
mod llvm;
mod order;
mod probed;
mod sampled;
mod speeds;
mod text;

pub use build::{BuildFacts, function_names};
pub use code_profile::{CodeProfile, ProfiledBy};
pub(super) use gcc::FORMAT as GCC;
pub(super) use llvm::FORMAT as LLVM;
pub use order::FunctionOrder;
pub(super) use order::{CALL_GRAPH, SCRIPT, SECTIONS, SYMBOLS};
