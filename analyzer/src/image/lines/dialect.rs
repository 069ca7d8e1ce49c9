//! Two ways to understand debug information.

/// How debug information is understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// As the DWARF standard says.
    Standard,
    /// As GNU gprof 2.40 does, which the classic reports must follow. In DWARF 5,
    ///
    /// * lines before the first instruction that sets a file belong to file 0 instead of 1, and
    /// * a function whose ranges of code are given by their index in a list has no code.
    Gnu,
}
