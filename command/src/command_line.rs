//! Command lines: reads them, and says what most options are like.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process;

use anyhow::Result;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

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

/// An option without a value, called by its whole name.
pub(crate) fn flag(name: &'static str, help: &str) -> Arg {
    Arg::new(name).long(name).help(help.to_owned()).action(ArgAction::SetTrue)
}

/// An option with a value, called by its whole name.
pub(crate) fn option(name: &'static str, value: &'static str, help: &str) -> Arg {
    operand(name, value, help).long(name)
}

/// An argument that no option names.
pub(crate) fn operand(name: &'static str, value: &'static str, help: &str) -> Arg {
    Arg::new(name).value_name(value).help(help.to_owned())
}

/// An option whose value is a path.
pub(crate) fn path_option(name: &'static str, value: &'static str, help: &str) -> Arg {
    path_operand(name, value, help).long(name)
}

/// An argument that is a path.
pub(crate) fn path_operand(name: &'static str, value: &'static str, help: &str) -> Arg {
    operand(name, value, help).value_parser(value_parser!(PathBuf))
}
