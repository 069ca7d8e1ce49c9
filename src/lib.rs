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
mod config;
mod ctl;
mod diff;
mod doctor;
mod dormant;
mod examples;
mod export;
mod gprof;
mod inputs;
mod install;
mod manual;
mod merge;
mod naming;
mod recover;
mod report;
mod run;
mod signature;
mod temporary;
mod text;
mod top;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Error, Result, bail};
use clap::{ArgMatches, Command};
use gmon_analyzer::system_message;

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
    let matches = command().get_matches_from(arguments);
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
    describe: fn() -> Command,
    run: fn(&ArgMatches) -> Result<ExitCode>,
}

/// The commands, most used first.
const COMMANDS: &[Subcommand] = &[
    Subcommand { describe: run::command, run: run::run },
    Subcommand { describe: report::command, run: report::run },
    Subcommand { describe: annotate::command, run: annotate::run },
    Subcommand { describe: gprof::command, run: |_| Ok(gprof::run("gprof".as_ref(), &[])) },
    Subcommand { describe: diff::command, run: diff::run },
    Subcommand { describe: export::command, run: export::run },
    Subcommand { describe: top::command, run: top::run },
    Subcommand { describe: ctl::command, run: ctl::run },
    Subcommand { describe: cc::command, run: |_| cc::run(Vec::new()) },
    Subcommand { describe: config::command, run: config::run },
    Subcommand { describe: install::command, run: install::run },
    Subcommand { describe: recover::command, run: recover::run },
    Subcommand { describe: merge::command, run: merge::run },
    Subcommand { describe: bbconv::command, run: bbconv::run },
    Subcommand { describe: doctor::command, run: doctor::run },
    Subcommand { describe: manual::command, run: manual::run },
    Subcommand { describe: manual::generate_command, run: manual::generate },
];

/// What stands above the commands from each place on.
const HEADINGS: &[(usize, &str)] =
    &[(0, "Look at a program"), (8, "Build it"), (11, "Data files"), (14, "Help")];

/// The whole command.
fn command() -> Command {
    Command::new("gmon")
        .version(env!("CARGO_PKG_VERSION"))
        .long_version(carried::long_version())
        .about("Profiles programs compiled with -pg: exact call counts, and where the time goes")
        .propagate_version(true)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .max_term_width(WIDTH)
        .arg(color::argument())
        .help_template("{about}\n\n{usage-heading} {usage}{after-help}\n\nOptions:\n{options}")
        .after_help(format!("{}\n\n{}", overview(), examples::help("")))
        .subcommands(COMMANDS.iter().map(|command| described((command.describe)())))
}

/// The columns that help fills at most.
const WIDTH: usize = 80;

/// The description of a subcommand, with its examples.
fn described(command: Command) -> Command {
    let text = command.get_after_help().map(|help| text::flowing(&help.to_string()));
    let examples = Some(examples::help(command.get_name())).filter(|examples| !examples.is_empty());
    let parts: Vec<_> = text.into_iter().chain(examples).collect();
    command.max_term_width(WIDTH).after_help(parts.join("\n\n"))
}

/// The commands under their headings.
fn overview() -> String {
    let mut text = String::new();
    for (place, command) in COMMANDS.iter().enumerate() {
        if let Some((_, heading)) = HEADINGS.iter().find(|(first, _)| *first == place) {
            let gap = if place == 0 { "" } else { "\n" };
            text.push_str(&format!("{gap}{heading}:\n"));
        }
        let command = (command.describe)();
        if command.is_hide_set() {
            continue;
        }
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        text.push_str(&format!("  {:<11} {about}\n", command.get_name()));
    }
    text.push_str("\nHelp on a command: gmon COMMAND --help");
    text
}
