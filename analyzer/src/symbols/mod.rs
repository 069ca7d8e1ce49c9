//! Functions of the program: where each begins and ends, and how its name is printed.

mod admission;
mod by_file;
mod extents;
mod lines;
mod locator;
mod name_order;
mod pieces;
mod sources;
mod suffixes;
mod symbol;
mod table;
mod version;

pub use admission::Admission;
pub use gmon_demangle::{Demangling, Detail, Language, shorten};
pub use name_order::NameOrder;
pub use sources::{SourceId, Sources};
pub use symbol::Symbol;
pub use table::{Split, SymbolId, SymbolTable};
pub(crate) use version::without_version;
