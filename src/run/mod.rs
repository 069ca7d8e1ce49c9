//! `gmon run`: runs a program with the profiling runtime and tells where its time went.
//!
//! ```text
//! sources ─compile→ program ─┐
//! a program ───────inspect───┴→ run ─→ gmon.out ─→ summary
//! ```
//!
//! The program keeps its own input, output and exit status; what we have to say goes to the
//! standard error stream or to a file.

mod data_file;
mod executable;
mod launch;
mod live_file;
mod process;
mod report;
mod settings;
mod sources;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::say;
use crate::summary::{Summary, View};
use data_file::EarlierFiles;
use launch::Launch;

pub(crate) use executable::has_runtime;
pub(crate) use report::Report;

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("run")
        .display_name("gmon run")
        .about("Runs a program, or compiles and runs C and C++ sources, and shows a summary")
        .override_usage(
            "gmon run [OPTIONS] PROGRAM [ARGS]...\n       \
             gmon run [OPTIONS] FILE.c... [COMPILER ARGS] [-- ARGS...]",
        )
        .args(View::arguments())
        .arg(
            Arg::new("report")
                .long("report")
                .value_name("FILE")
                .help("Write the summary to FILE, not to the standard error stream")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .help("Where the program that is compiled from sources is put")
                .default_value("a.out")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("blocks")
                .long("blocks")
                .help("Count every execution of every basic block of the sources")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("words")
                .value_name("PROGRAM")
                .required(true)
                .num_args(1..)
                .trailing_var_arg(true)
                .value_parser(value_parser!(OsString))
                .hide(true),
        )
        .after_help(
            "A program must have been compiled with -pg. If it was linked by gmon cc, or with what\n\
             gmon config --libs prints, it is run as it is; if not, the runtime is preloaded.\n\
             Sources are compiled by $CC ($CXX if there is C++ among them) with -O2 -g -pg; for\n\
             --blocks with -O0 and hooks in every basic block, so that all lines keep their counts.\n\
             The exit status is the program's, or 128 plus the number of the signal that ended it.",
        )
}

/// Runs the program and ends as it does.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let words = arguments.get_many::<OsString>("words").into_iter().flatten().cloned().collect();
    let output = arguments.get_one::<PathBuf>("output").cloned().unwrap_or_default();

    let report = Report::open(arguments.get_one::<PathBuf>("report"))?;
    let launch = Launch::prepare(words, output, arguments.get_flag("blocks"))?;
    observe(launch.command(), &launch.executable, View::asked_for(arguments), report)
}

/// Runs a command in which `executable` is profiled, reports on it, and ends as it does.
///
/// # Errors
///
/// It cannot be run.
pub(crate) fn observe(
    command: std::process::Command,
    executable: &Path,
    view: View,
    mut report: Report,
) -> Result<ExitCode> {
    let earlier = EarlierFiles::find(executable);
    let ending = process::run(command)?;
    // While there is one, the newest counts are in it.
    let data_file = match live_file::left_by(executable, &ending) {
        Some(live) => live_file::recover(&live, executable, &ending),
        None => earlier.written_since(executable, &ending),
    };
    let summary = data_file.and_then(|data_file| Summary::read(executable, &data_file, view));
    // The exit status is the program's even if there is nothing to show.
    if let Err(error) = summary.and_then(|summary| report.show(&summary)) {
        say(&error);
    }
    Ok(ending.exit_code())
}
