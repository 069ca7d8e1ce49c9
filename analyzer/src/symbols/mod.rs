//! Which functions the program has, where each begins and ends, and how its name is printed.

mod arc_filter;
mod by_file;
mod demangle;
mod filter;
mod lines;
mod locator;
mod matches;
mod name_order;
mod ranges;
mod selection;
mod sources;
mod symspec;
mod table;

pub use arc_filter::ArcFilter;
pub use demangle::{Demangling, Detail};
pub use filter::{Filter, Verdict};
pub use matches::Matches;
pub use name_order::NameOrder;
pub use selection::Admission;
pub use sources::{SourceId, Sources};
pub use symspec::{Choice, Part, Selector, Symspec};
pub use table::{Symbol, SymbolId, SymbolTable};
