//! `gmon doctor`: finds out why there is no profile, or not the one that was hoped for, and says what to do.
//!
//! ```text
//! program ─┐
//! data ────┤
//! machine ─┼→ findings ─→ text or JSON
//! tools ───┘
//! ```

mod data;
mod finding;
mod machine;
mod program;
mod tools;
mod trial;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Arg, ArgAction, ArgMatches, Command};
use gmon_format::names::DATA_FILE;

use finding::Findings;

use crate::command_line::{option, path_operand};

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("doctor")
        .display_name("gmon doctor")
        .about("Finds out why a profile is missing or wrong")
        .args([
            path_operand("program", "PROGRAM", "The program that has no profile, or a wrong one"),
            path_operand("data", "DATA", "Its data files [default: gmon.out]").num_args(0..),
            option("format", "FORMAT", "text, or json for scripts [default: text]")
                .hide_possible_values(true)
                .value_parser(["text", "json"]),
            Arg::new("trial").long("trial").hide(true).action(ArgAction::SetTrue),
        ])
        .after_help(
            "Each line says ok, note (what limits a profile) or PROBLEM (what spoils it), and what to do. \
             Without PROGRAM, gmon doctor looks at the machine and the tools only; with PROGRAM also at its \
             data, gmon.out in this folder unless you name others.\n\
             \n\
             The exit status is 1 if there is a PROBLEM.",
        )
}

/// Looks at everything and tells.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    if arguments.get_flag("trial") {
        trial::work();
        return Ok(ExitCode::SUCCESS);
    }
    let program = arguments.get_one::<PathBuf>("program");
    let named: Vec<PathBuf> = arguments.get_many("data").into_iter().flatten().cloned().collect();
    let mut findings = Findings::default();
    if let Some(program) = program {
        let read = program::examine(program, &mut findings);
        let data = if named.is_empty() { vec![DATA_FILE.into()] } else { named };
        for file in &data {
            data::examine(file, read.as_ref(), &mut findings);
        }
    }
    machine::examine(Path::new("."), &mut findings);
    tools::examine(&mut findings);
    let is_json = arguments.get_one::<String>("format").is_some_and(|format| format == "json");
    if is_json {
        findings.write_json()?
    } else {
        findings.write_text()?
    }
    Ok(if findings.problems() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
