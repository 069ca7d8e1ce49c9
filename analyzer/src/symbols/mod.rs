//! Which functions the program has, where each begins and ends, and how its name is printed.

mod admission;
mod arc_filter;
mod by_file;
mod filter;
mod lines;
mod locator;
mod matches;
mod name_order;
mod pieces;
mod ranges;
mod sources;
mod suffixes;
mod symspec;
mod table;

pub use admission::Admission;
pub use arc_filter::ArcFilter;
pub use filter::{Filter, Verdict};
pub use gmon_demangle::{Demangling, Detail};
pub use matches::Matches;
pub use name_order::NameOrder;
pub use sources::{SourceId, Sources};
pub use symspec::{Choice, Part, Selector, Symspec};
pub use table::{Split, Symbol, SymbolId, SymbolTable};
