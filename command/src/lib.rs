//! The commands `gmon` and `cargo-gmon`: profile programs with the runtime they carry and show what
//! these did.
//!
//! Each subcommand is one module that describes its arguments and carries them out. The arguments
//! of `cc` and `gprof` are a compiler's and GNU gprof's and do not pass through clap. Only this file
//! turns results into an exit status: 0, 1 for bad input, 2 for bad usage; `cc`, `run` and `cargo
//! gmon` end as what they call ended, and `diff` with 3 if a limit is exceeded.

mod annotate;
mod attached;
mod bbconv;
mod cargo;
mod carried;
mod cc;
mod color;
mod command_line;
mod config;
mod ctl;
mod diff;
mod doctor;
mod dormant;
mod examples;
mod export;
mod gprof;
mod guided;
mod help;
mod install;
mod made;
mod manual;
mod merge;
mod named;
mod naming;
mod open;
mod outside;
mod packages;
mod processes;
mod recover;
mod report;
mod run;
mod signals;
mod source;
mod tables;
mod temporary;
mod text;
mod top;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

pub use carried::{Carried, Known, Packed, Port};

use anyhow::{Error, Result, bail};
use clap::{ArgMatches, Command};
use gmon_analyzer::system_message;
use help::described;

/// The command `gmon`, with what it carries.
#[must_use]
pub fn gmon(carried: &'static Carried) -> ExitCode {
    carried::give(carried);
    end(dispatch(env::args_os().collect()))
}

/// The command `cargo-gmon`, which cargo calls for `cargo gmon`.
#[must_use]
pub fn cargo_gmon(carried: &'static Carried) -> ExitCode {
    carried::give(carried);
    end(cargo::run(env::args_os().skip(1).collect()))
}

/// The exit status of a command.
fn end(result: Result<ExitCode>) -> ExitCode {
    result.unwrap_or_else(|error| {
        if is_seen_enough(&error) {
            return ExitCode::SUCCESS;
        }
        say(&error);
        ExitCode::FAILURE
    })
}

/// Returns `true` if whoever reads our output has closed it: they have seen enough.
fn is_seen_enough(error: &Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}

/// Says what went wrong and why, in one line.
fn say(error: &Error) {
    let reason = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref().map_or_else(|| cause.to_string(), system_message)
    };
    let reasons: Vec<_> = error.chain().map(reason).collect();
    // If this fails, there is nowhere left to report it.
    _ = writeln!(io::stderr(), "gmon: {}", text::harmless(&reasons.join(": ")));
}

fn dispatch(arguments: Vec<OsString>) -> Result<ExitCode> {
    match arguments.as_slice() {
        [name, rest @ ..] if gprof::is_called(name) => return Ok(gprof::run(name, rest)),
        [_, word, rest @ ..] if word == "gprof" => return Ok(gprof::run("gprof".as_ref(), rest)),
        // Its help is its own, too, not clap's.
        [_, word, name] if word == "help" && name == "gprof" => {
            return Ok(gprof::run(name, &["--help".into()]));
        }
        [_, word, rest @ ..] if word == "cc" => return cc::run(rest.to_owned()),
        _ => {}
    }
    if let Some(answer) = help::answer(&arguments) {
        return answer;
    }
    let matches = command_line::matches(brief(), help::with_run(arguments))?;
    color::obey(&matches);
    let subcommand = matches.subcommand().and_then(|(name, arguments)| {
        COMMANDS.iter().find(|command| (command.describe)().get_name() == name).zip(Some(arguments))
    });
    match subcommand {
        Some((command, arguments)) => (command.run)(arguments),
        None => bail!("there is no such command; see gmon --help"),
    }
}

/// A subcommand.
struct Subcommand {
    /// Heading in the overview, by what one wants to do; empty if it leaves the command out.
    group: &'static str,
    describe: fn() -> Command,
    run: fn(&ArgMatches) -> Result<ExitCode>,
}

/// The commands, by what one wants to do; the three most used come first.
const COMMANDS: &[Subcommand] = &[
    Subcommand { group: "Measure", describe: run::command, run: run::run },
    Subcommand { group: "Read", describe: report::command, run: report::run },
    Subcommand { group: "Read", describe: annotate::command, run: annotate::run },
    Subcommand {
        group: "Read",
        describe: gprof::command,
        run: |_| Ok(gprof::run("gprof".as_ref(), &[])),
    },
    Subcommand { group: "Read", describe: export::command, run: export::run },
    Subcommand { group: "Compare", describe: diff::command, run: diff::run },
    Subcommand { group: "Build", describe: cc::command, run: |_| cc::run(Vec::new()) },
    Subcommand { group: "Build", describe: config::command, run: config::run },
    Subcommand { group: "Build", describe: install::command, run: install::run },
    Subcommand { group: "Live", describe: top::command, run: top::run },
    Subcommand { group: "Live", describe: ctl::command, run: ctl::run },
    Subcommand { group: "Repair", describe: doctor::command, run: doctor::run },
    Subcommand { group: "Repair", describe: recover::command, run: recover::run },
    Subcommand { group: "Repair", describe: merge::command, run: merge::run },
    Subcommand { group: "Repair", describe: bbconv::command, run: bbconv::run },
    Subcommand { group: "", describe: manual::command, run: manual::run },
    Subcommand { group: "", describe: manual::generate_command, run: manual::generate },
];

/// The whole command, with all options, as completions and the manual have it.
fn command() -> Command {
    command_of(|command| command)
}

/// The command as its help shows it.
fn brief() -> Command {
    command_of(described)
}

fn command_of(described: fn(Command) -> Command) -> Command {
    Command::new("gmon")
        .version(env!("CARGO_PKG_VERSION"))
        .long_version(carried::long_version())
        .about("Profiles programs compiled with -pg: exact call counts, and where the time goes")
        .propagate_version(true)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .arg(color::argument())
        .help_template("{about}\n\n{usage-heading} {usage}{after-help}\n")
        .after_help(help::screen())
        .subcommands(COMMANDS.iter().map(|command| described((command.describe)())))
}
