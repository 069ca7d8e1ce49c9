//! The `gmon` command: profiles programs with the runtime it carries and shows what they did.
//!
//! Each subcommand is one module that describes its arguments and carries them out. The arguments
//! of `cc` are a compiler's and do not pass through clap. Only this file turns results into an exit
//! status: 0, 1 for bad input, 2 for bad usage; `cc` and `run` end as what they call ended.

mod carried;
mod cc;
mod config;

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::Command;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().collect();
    dispatch(arguments).unwrap_or_else(|error| {
        eprintln!("gmon: {error:#}");
        ExitCode::FAILURE
    })
}

fn dispatch(arguments: Vec<OsString>) -> Result<ExitCode> {
    if arguments.get(1).is_some_and(|word| word == "cc") {
        return cc::run(arguments.into_iter().skip(2).collect());
    }
    match command().get_matches_from(arguments).subcommand() {
        Some(("config", arguments)) => config::run(arguments),
        _ => unreachable!("clap accepts no other subcommand"),
    }
}

fn command() -> Command {
    Command::new("gmon")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Profiles programs compiled with -pg: exact call counts, and where the time goes")
        .propagate_version(true)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(cc::command())
        .subcommand(config::command())
}
