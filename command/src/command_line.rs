//! Reads command lines.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process;

use anyhow::Result;
use clap::{ArgMatches, Command};

/// The arguments of a command. Ends the process where the command line is wrong.
///
/// # Errors
///
/// Help or a version that is asked for cannot be written.
pub(crate) fn matches(
    command: Command,
    words: impl IntoIterator<Item = OsString>,
) -> Result<ArgMatches> {
    command.try_get_matches_from(words).or_else(|error| {
        if error.use_stderr() {
            error.exit();
        }
        // Clap would end well, whatever became of it.
        error.print()?;
        io::stdout().flush()?;
        process::exit(0)
    })
}
