//! Source lines and functions of the code, from DWARF 2 to 5.

mod chosen;
mod declarations;
mod entries;
mod functions;
mod intervals;
mod labels;
mod languages;
mod lazy;
mod names;
mod paths;
mod program;
mod scopes;
mod spans;
mod strings;
mod table;
mod units;

pub(super) use chosen::{ChosenUnits, UnitsElsewhere};
pub use declarations::Declaration;
pub(super) use declarations::declarations;
pub use functions::{Call, Frame, FunctionName, FunctionTable, Inlining};
pub(crate) use labels::Label;
pub use languages::SourceNames;
pub use lazy::{Lines, Piece};
pub use names::LocalId;
pub(crate) use spans::spans;
pub use strings::StringId as FileId;
pub(super) use table::LineTable;
pub use table::Location;

/// Readings of debug information.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// As the DWARF standard says.
    Standard,
    /// As GNU gprof 2.40 does, which the classic reports must follow. In DWARF 5,
    ///
    /// * lines before the first instruction that sets a file belong to file 0 instead of 1, and
    /// * a function whose ranges of code are given by their index in a list has no code.
    #[default]
    Gnu,
}
