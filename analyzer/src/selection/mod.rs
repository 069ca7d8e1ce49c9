//! Wishes of a reader of the reports: from the words of an option to a verdict on each symbol.
//!
//! ```text
//! text ──→ symspec ──→ choice ──→ matches ─┬→ filter ─┐
//!          a Selector  what each  symbols  │          ├→ Selections
//!                      report is  of all   └→ arcs ───┘
//!                      to show    symspecs
//! ```
//!
//! An option that takes a symspec reads it as a [`Selector`]. A [`Choice`] has those of one report, and
//! [`Choices`] has those of all. One pass over the symbol table finds what all of them select
//! ([`Matches`]). From that come a [`Filter`] of the symbols of each report and an [`ArcFilter`], which
//! are the [`Selections`] that a call graph is made with.

mod arcs;
mod choice;
mod filter;
mod matches;
mod ranges;
mod selections;
mod symspec;

pub use arcs::ArcFilter;
pub use choice::{Choice, Choices};
pub use filter::{Filter, Verdict};
pub use matches::Matches;
pub use selections::Selections;
pub use symspec::{Part, Selector, Symspec};
