//! The reports: each is computed as data first, then written as text.

mod annotation;
mod annotation_text;
mod blurbs;
mod call_graph;
mod call_graph_text;
mod columns;
mod exec_counts;
mod file_order;
mod flat;
mod flat_text;
mod full_names;
mod function_order;
mod index;
mod merge_sort;
mod names;
mod page;

pub use annotation::{AnnotatedFile, AnnotatedLine, Annotation};
pub use annotation_text::{AnnotationStyle, AnnotationWriter};
pub use call_graph::{ArcLine, CallGraphReport, Lines};
pub use exec_counts::{ExecCount, ExecCounts};
pub use file_order::FileOrder;
pub use flat::{FlatProfile, FlatRow};
pub use function_order::FunctionOrder;
pub use index::FunctionIndex;
pub use names::{NamePlace, NameStyle, Names};
pub use page::{Page, Style};
