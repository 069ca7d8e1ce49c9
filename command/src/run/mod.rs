//! `gmon run`: runs a program with the profiling runtime and tells where its time went.
//!
//! ```text
//! sources ─compile→ program ─┐                                ┌→ list of processes
//! any command ─────inspect───┴→ run ─→ ledger, data files ────┴→ a summary for each program
//! ```
//!
//! The program keeps its own input, output and exit status; what we have to say goes to the
//! standard error stream or to a file.

mod descendants;
mod destination;
mod executable;
mod folder;
mod input;
mod keeping;
mod languages;
mod launch;
mod ledger;
mod live_file;
mod living;
mod observation;
mod outside;
mod process;
mod ranks;
mod repeated;
mod sampling;
mod search_path;
mod series;
mod settings;
mod sources;
mod spawn;
mod steps;
mod usual_file;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Arg, ArgMatches, Command, value_parser};

use crate::command_line::{flag, path_option};
use crate::naming::Naming;
use crate::open::{check_output, is_program};
use crate::processes::Narrowing;
use crate::report::{Html, Output, View};
use launch::Launch;
use outside::Outside;
use ranks::Rank;

pub(crate) use destination::Destination;
use executable::is_pipe;
pub(crate) use executable::{Runtime, gains_capabilities, has_runtime, inspect};
pub(crate) use folder::{left_by_dead_run, of_dead_runs};
pub(crate) use input::Input;
pub(crate) use observation::Run;
pub(crate) use ranks::Others;
pub(crate) use repeated::Repeated;
pub(crate) use sampling::Sampling;
pub(crate) use series::{Repetition, SeriesFolder};
pub(crate) use sources::is_source;
pub(crate) use steps::may_step;

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("run")
        .display_name("gmon run")
        .about("Runs a command or sources, and shows where the time went")
        .override_usage(
            "gmon run [OPTIONS] COMMAND [ARGS]...\n       \
             gmon run [OPTIONS] SOURCE... [COMPILER ARGS] [-- ARGS...]\n       \
             gmon run [OPTIONS] --pid PID|NAME [-- COMMAND [ARGS]...]",
        )
        .args(View::arguments())
        .args(Html::arguments())
        .args(Sampling::arguments())
        .args(Outside::arguments())
        .args([
            path_option(
                "report",
                "FILE",
                "Write the summary to FILE instead of the standard error stream; - is the standard output",
            ),
            path_option("output", "FILE", "Write the profile to FILE [default: gmon.out]")
                .short('o'),
            path_option(
                "data",
                "FOLDER",
                "Write a file for each process into FOLDER; with --runs, one for each run [default there: gmon.runs]",
            )
            .short('d')
            .conflicts_with("output"),
        ])
        .args(Repetition::arguments())
        .mut_arg("runs", |runs| runs.conflicts_with_all(["output", "html"]))
        .args(Narrowing::arguments())
        .args([
            path_option(
                "program",
                "FILE",
                "Where to put the program that is compiled from sources",
            )
            .default_value("a.out"),
            flag("blocks", "Count every execution of every basic block of the sources"),
            Arg::new("words")
                .value_name("PROGRAM")
                .required_unless_present("pid")
                .num_args(1..)
                .trailing_var_arg(true)
                .value_parser(value_parser!(OsString))
                .hide(true),
        ])
        .after_help(
            "Run any command: gmon run make test, gmon run sh -c '...'. gmon measures the time of every\n\
             program that it starts, with call stacks, and counts the calls of those compiled with -pg.\n\
             Programs linked by gmon cc contain the runtime; gmon run preloads it into others.\n\
             \n\
             The compiler of their language compiles sources with -O2 -g -pg; for --blocks with -O0, so that\n\
             all lines keep their counts: C ($CC), C++ ($CXX), Fortran ($FC), Objective-C ($OBJC, $OBJCXX),\n\
             Ada ($GNATMAKE), D ($DC), Go ($GOC), Modula-2 ($GM2).\n\
             \n\
             --pid samples processes that run already, from outside: nothing is put into them, and they are\n\
             never stopped. It ends with the COMMAND, after --for, when they end, or with Ctrl-C.\n\
             \n\
             The exit status is the program's, or 128 plus the number of the signal that ended it.",
        )
}

/// Runs the program and ends as it does.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let words: Vec<OsString> = arguments.get_many("words").into_iter().flatten().cloned().collect();
    let path = |name: &str| arguments.get_one::<PathBuf>(name).cloned();
    let rank = Rank::of_environment();
    let of_rank = |path: PathBuf| match &rank {
        Some(rank) => rank.name(&path),
        None => path,
    };
    let folder = path("data").map(of_rank);
    let destination = match (path("output"), &folder) {
        (Some(file), _) if is_program(&file) => {
            let name = file.display();
            bail!(
                "{name} is a program; -o names the file for the profile, and --program the program that is \
                 compiled"
            );
        }
        (Some(file), _) if is_pipe(&file) => {
            bail!("{}: a pipe; -o names a file, of which the summary is made", file.display());
        }
        (Some(file), _) => {
            check_output(&file)?;
            Destination::File(of_rank(file))
        }
        (None, Some(folder)) => Destination::Folder(folder.clone()),
        (None, None) => Destination::Usual,
    };
    let is_shown = rank.as_ref().is_none_or(Rank::is_first);
    // A command that is not there is more often a slip in the options, and then FILE is something else.
    let open_output = || match is_shown {
        true => Output::open(path("report").as_ref()),
        false => Ok(Output::nowhere()),
    };
    if rank.is_some() && words.first().is_some_and(|word| is_source(word)) {
        bail!("each rank would compile the program; compile it first, gmon cc mpicc, then run it");
    }
    let html = Html::asked_for(arguments).filter(|_| is_shown);
    html.as_ref().map_or(Ok(()), Html::try_place)?;
    let sampling = Sampling::asked_for(arguments);
    let (narrowing, view) = (Narrowing::asked_for(arguments), View::asked_for(arguments));
    if let Some(outside) = Outside::asked_for(arguments) {
        return outside.observe(&destination, (&sampling, &narrowing), (view, html), open_output);
    }
    let built = path("program").unwrap_or_default();
    let launch = Launch::prepare(words, built, arguments.get_flag("blocks"), &sampling)?;
    let mut output = open_output()?;
    if is_shown {
        folder::say_dead_runs(destination.place());
    }
    if let Some(repetition) = Repetition::asked_for(arguments) {
        let naming = view.names.unwrap_or(Naming::Plain);
        let mut command = Repeated::new(launch, sampling, narrowing, naming)?;
        return series::observe(&mut command, repetition, folder, view, &mut output);
    }
    let run = Run {
        executable: &launch.executable,
        why_without_profile: launch.why_without_profile,
        destination,
        narrowing,
        view,
        html,
        sampling,
        others: rank.and_then(|rank| Others::before_the_run(&rank, path("output"), path("data"))),
    };
    run.observe(launch.command(), &launch.name, &mut output)
}
