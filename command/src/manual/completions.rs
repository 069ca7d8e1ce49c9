//! `gmon completions SHELL`: what lets shells complete commands, options and their values.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{ArgMatches, Command, value_parser};
use clap_complete::Shell;

use super::Shipped;
use crate::command_line::operand;

/// Folders for completions, below `share`: of shells that have a place for packages.
const PLACES: &[(Shell, &str)] = &[
    (Shell::Bash, "bash-completion/completions/gmon"),
    (Shell::Zsh, "zsh/site-functions/_gmon"),
    (Shell::Fish, "fish/vendor_completions.d/gmon.fish"),
];

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("completions")
        .display_name("gmon completions")
        .about("Prints what lets a shell complete commands and options")
        .arg(
            operand("shell", "SHELL", "The shell")
                .required(true)
                .value_parser(value_parser!(Shell)),
        )
        .after_help(
            "Packages and gmon install put the completions for bash, zsh and fish where these shells find them.",
        )
}

/// Prints the completions.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let shell = *arguments.get_one::<Shell>("shell").expect("clap requires it");
    io::stdout().write_all(&script(shell))?;
    Ok(ExitCode::SUCCESS)
}

/// Completions that are installed.
pub(super) fn files() -> impl Iterator<Item = Shipped> {
    PLACES
        .iter()
        .map(|(shell, path)| Shipped { path: PathBuf::from(path), content: script(*shell) })
}

fn script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut crate::command(), "gmon", &mut script);
    script
}
