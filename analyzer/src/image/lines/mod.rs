//! Which source lines and functions made the code, from DWARF 2 to 5.

mod dialect;
mod entries;
mod functions;
mod intervals;
mod labels;
mod lazy;
mod names;
mod paths;
mod program;
mod spans;
mod strings;
mod table;
mod units;

pub use dialect::Dialect;
pub use functions::{Call, Frame, FunctionName, FunctionTable};
pub(crate) use labels::Label;
pub use lazy::Lines;
pub(crate) use spans::spans;
pub use strings::StringId as FileId;
pub(super) use table::LineTable;
pub use table::Location;
