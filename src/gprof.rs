//! `gmon gprof`, and the command called by the name `gprof`: the analyzer's classic command line.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap::Command;

/// Describes the subcommand for `gmon --help`; its arguments are GNU gprof's and not clap's.
pub(crate) fn command() -> Command {
    Command::new("gprof").about("Prints flat profile and call graph, as GNU gprof does")
}

/// Whether the command was called as `gprof`, perhaps with a target's name before it.
pub(crate) fn is_called(name: &OsStr) -> bool {
    let name = Path::new(name).file_name().and_then(OsStr::to_str).unwrap_or_default();
    name == "gprof" || name.ends_with("-gprof")
}

/// Prints what the arguments ask for. `name` begins the messages.
pub(crate) fn run(name: &OsStr, arguments: &[OsString]) -> ExitCode {
    let (mut stdout, mut stderr) = (io::stdout().lock(), io::stderr().lock());
    let name = name.to_string_lossy();
    gmon_analyzer::gprof::main(&name, arguments, &mut stdout, &mut stderr).into()
}
