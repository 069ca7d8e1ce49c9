//! Which source lines and functions made the code, from DWARF 2 to 5.

mod declarations;
mod dialect;
mod entries;
mod functions;
mod inlinings;
mod intervals;
mod labels;
mod lazy;
mod names;
mod paths;
mod pieces;
mod program;
mod spans;
mod strings;
mod table;
mod units;

pub use declarations::Declaration;
pub(super) use declarations::declarations;
pub use dialect::Dialect;
pub use functions::{Call, Frame, FunctionName, FunctionTable};
pub use inlinings::Inlining;
pub(crate) use labels::Label;
pub use lazy::Lines;
pub use pieces::Piece;
pub(crate) use spans::spans;
pub use strings::StringId as FileId;
pub(super) use table::LineTable;
pub use table::Location;
