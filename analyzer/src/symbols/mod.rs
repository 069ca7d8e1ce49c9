//! Which functions the program has, where each begins and ends, and how its name is printed.

mod demangle;
mod filter;
mod locator;
mod selection;
mod symspec;
mod table;

pub use demangle::Demangling;
pub use filter::{Filter, Verdict};
pub use selection::Admission;
pub use symspec::{Choice, Part, Selector, Symspec};
pub use table::{Symbol, SymbolId, SymbolTable};
