//! The commands `gmon` and `cargo-gmon`: profile programs with the runtime they carry and show what
//! these did.
//!
//! Each subcommand is one module that describes its arguments and carries them out. The arguments
//! of `cc` and `gprof` are a compiler's and GNU gprof's and do not pass through clap. Only this file
//! turns results into an exit status: 0, 1 for bad input, 2 for bad usage; `cc`, `run` and `cargo
//! gmon` end as what they call ended.

mod annotate;
mod bbconv;
mod cargo;
mod carried;
mod cc;
mod config;
mod export;
mod gprof;
mod inputs;
mod install;
mod like;
mod merge;
mod naming;
mod recover;
mod run;
mod summary;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Error, Result};
use clap::Command;

/// The command `gmon`.
#[must_use]
pub fn gmon() -> ExitCode {
    end(dispatch(env::args_os().collect()))
}

/// The command `cargo-gmon`, which cargo calls for `cargo gmon`.
#[must_use]
pub fn cargo_gmon() -> ExitCode {
    end(cargo::run(env::args_os().skip(1).collect()))
}

/// The exit status of a command.
fn end(result: Result<ExitCode>) -> ExitCode {
    result.unwrap_or_else(|error| {
        // Whoever closes our output early has seen enough.
        let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
        if kind == Some(io::ErrorKind::BrokenPipe) {
            return ExitCode::SUCCESS;
        }
        say(&error);
        ExitCode::FAILURE
    })
}

/// Tells what went wrong and why, in one line.
fn say(error: &Error) {
    // Without the number that the standard library adds.
    let reason = |cause: &(dyn std::error::Error + 'static)| {
        let text = cause.to_string();
        let number = cause.downcast_ref::<io::Error>().and_then(io::Error::raw_os_error);
        let number = number.map(|number| format!(" (os error {number})"));
        number.and_then(|number| text.strip_suffix(&number).map(str::to_owned)).unwrap_or(text)
    };
    let reasons: Vec<_> = error.chain().map(reason).collect();
    // Where else could it be told that this fails?
    _ = writeln!(io::stderr(), "gmon: {}", reasons.join(": "));
}

fn dispatch(arguments: Vec<OsString>) -> Result<ExitCode> {
    match arguments.as_slice() {
        [name, rest @ ..] if gprof::is_called(name) => return Ok(gprof::run(name, rest)),
        [_, word, rest @ ..] if word == "gprof" => return Ok(gprof::run("gprof".as_ref(), rest)),
        [_, word, rest @ ..] if word == "cc" => return cc::run(rest.to_owned()),
        _ => {}
    }
    match command().get_matches_from(arguments).subcommand() {
        Some(("run", arguments)) => run::run(arguments),
        Some(("config", arguments)) => config::run(arguments),
        Some(("install", arguments)) => install::run(arguments),
        Some(("recover", arguments)) => recover::run(arguments),
        Some(("merge", arguments)) => merge::run(arguments),
        Some(("bbconv", arguments)) => bbconv::run(arguments),
        Some(("annotate", arguments)) => annotate::run(arguments),
        Some(("export", arguments)) => export::run(arguments),
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
        .subcommands([
            run::command(),
            cc::command(),
            config::command(),
            install::command(),
            recover::command(),
            merge::command(),
            bbconv::command(),
            annotate::command(),
            export::command(),
            gprof::command(),
        ])
}
