//! Occasions on which a file is written.

/// Why the file is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Occasion {
    /// The profile ends, or is wanted as it is now: the same file is replaced each time.
    Profile,
    /// The process is about to become another program, which may write the file of that name too.
    Exec,
}
