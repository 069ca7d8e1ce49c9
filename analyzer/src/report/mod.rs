//! The reports: each is computed as data first, then written as text.

mod blurbs;
mod call_graph;
mod call_graph_text;
mod columns;
mod flat;
mod flat_text;
mod index;
mod names;
mod page;

pub use call_graph::{ArcLine, CallGraphReport, Lines};
pub use flat::{FlatProfile, FlatRow};
pub use index::FunctionIndex;
pub use names::{NamePlace, NameStyle, Names};
pub use page::{Page, Style};
