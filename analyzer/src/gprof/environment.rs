//! Settings for command lines in the environment.

use std::env;
use std::ffi::OsString;

/// The variables that GNU gprof looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Environment {
    /// The first operand ends the options (`POSIXLY_CORRECT`).
    pub(super) posix: bool,
    /// Directories for sources behind those of `-I` (`GPROF_PATH`).
    pub(super) source_path: Option<OsString>,
}

impl Environment {
    /// Settings of this process.
    pub(super) fn of_process() -> Self {
        Self {
            posix: env::var_os("POSIXLY_CORRECT").is_some(),
            source_path: env::var_os("GPROF_PATH"),
        }
    }
}
