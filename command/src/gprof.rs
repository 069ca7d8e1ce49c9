//! `gmon gprof`, and the command called by the name `gprof`: the analyzer's classic command line.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::ExitCode;

use clap::{Arg, ArgAction, Command};
use gmon_analyzer::gprof;

/// Describes the subcommand for `gmon --help`, completions and the manual; clap does not read its arguments.
pub(crate) fn command() -> Command {
    Command::new("gprof")
        .about("Prints flat profile and call graph, as GNU gprof does")
        .override_usage("gmon gprof [OPTION]... [IMAGE-FILE [PROFILE-FILE]...]")
        .disable_help_flag(true)
        .disable_version_flag(true)
        .args(gprof::options().map(argument))
}

/// An option of GNU gprof.
fn argument(option: gprof::Spelling) -> Arg {
    let name = option.long.map_or_else(|| option.short.into_iter().collect(), str::to_owned);
    let argument = Arg::new(name).short(option.short).long(option.long).help(option.help);
    match option.value {
        None => argument.action(ArgAction::SetTrue),
        Some((value, true)) => argument.value_name(value),
        Some((value, false)) => argument.value_name(value).num_args(0..=1).require_equals(true),
    }
}

/// Returns `true` if the command was called as `gprof`, perhaps with a target's name before it.
pub(crate) fn is_called(name: &OsStr) -> bool {
    let name = Path::new(name).file_name().and_then(OsStr::to_str).unwrap_or_default();
    name == "gprof" || name.ends_with("-gprof")
}

/// Prints what the arguments ask for. `name` begins the messages.
pub(crate) fn run(name: &OsStr, arguments: &[OsString]) -> ExitCode {
    let (mut stdout, mut stderr) = (io::stdout().lock(), io::stderr().lock());
    let name = name.to_string_lossy();
    gprof::main(&name, arguments, &mut stdout, &mut stderr).into()
}
