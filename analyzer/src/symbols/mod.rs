//! Which functions the program has, where each begins and ends, and how its name is printed.

mod demangle;
mod filter;
mod locator;
mod selection;
mod table;

pub use demangle::demangle;
pub use filter::{Filter, Verdict};
pub use table::{Symbol, SymbolId, SymbolTable};
