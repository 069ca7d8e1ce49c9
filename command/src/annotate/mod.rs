//! `gmon annotate`: the source of a program, with what its profile says about each line.
//!
//! ```text
//! model ─→ lines ─┬→ listing: the sources, line by line ──────┬→ tables
//!                 └→ hottest: the lines that cost the most ─┘
//! ```

mod cells;
mod function;
mod hottest;
mod lines;
mod listing;

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::command_line::{flag, option, path_option};
use crate::naming::Naming;
use crate::open::{self, Door, Samples};
use crate::report::{Output, inlines};
use crate::{say, tables};
use anyhow::{Result, anyhow};
use cells::Cells;
use clap::{ArgAction, ArgMatches, Command, value_parser};
use gmon_analyzer::model::FunctionId;
use gmon_analyzer::{Measurement, Model};
use listing::Listing;

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("annotate")
        .display_name("gmon annotate")
        .about("Shows the source with executions, time and calls of each line")
        .override_usage(
            "gmon annotate [OPTIONS] [PROGRAM] [DATA]...\n       gmon annotate [OPTIONS] PROFILE.json",
        )
        .args([
            flag(
                "line",
                "List the lines that took the most time or, without samples, ran most often",
            ),
            option("function", "NAME", "Show only this function")
                // Names of Objective-C begin with it, here and in the options of other commands.
                .allow_hyphen_values(true)
                .conflicts_with("line"),
            option("top", "N", "How many lines --line lists")
                .default_value("20")
                .value_parser(value_parser!(usize)),
            tables::argument("text, markdown, csv, tsv or json", &[]),
            path_option(
                "source",
                "FOLDER",
                "Where to look for sources that have moved since they were compiled",
            )
            .short('I')
            .action(ArgAction::Append),
            inlines::argument().requires("function"),
            Naming::argument("plain"),
        ])
        .args(open::arguments())
        .after_help(
            "Executions are counted in programs built with gmon cc --blocks or gmon run\n\
             --blocks; ##### marks lines that never ran. Other programs show calls and time,\n\
             if compiled with -g. Below each line stand the functions that it called, and the\n\
             places where its own function was inlined. The lines of a function add up to its\n\
             row in gmon report; what was inlined into it follows its source.",
        )
}

/// Reads the profile and shows it.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let folders = arguments.get_many::<PathBuf>("source").into_iter().flatten().cloned().collect();
    let naming = Naming::asked_for(arguments);
    let (model, measurement) = &read(arguments, naming)?;
    let (files, cells) = (lines::of_model(model), Cells::new(&model.sampling));
    let measurement = measurement.as_ref();
    let listing = Listing { model, measurement, files, naming, cells, folders };
    let shown = if let Some(name) = arguments.get_one::<String>("function") {
        let functions = function::find(model, measurement, naming, name)?;
        let apart: Vec<FunctionId> = functions.iter().filter_map(|it| it.id).collect();
        let fold = inlines::if_asked_for(arguments).unwrap_or_default();
        let samples = model.samples_by_line(fold, &apart);
        functions.iter().filter_map(|it| listing.function(it, &samples)).collect()
    } else if arguments.get_flag("line") {
        let top = arguments.get_one::<usize>("top").copied().unwrap_or_default();
        vec![hottest::table(&listing, top)]
    } else {
        listing.files()
    };
    let mut out = BufWriter::new(anstream::stdout().lock());
    match (shown.is_empty(), tables::word(arguments)) {
        (false, _) => {}
        // Elsewhere nothing but a table is expected.
        (true, "text") => writeln!(out, "{}", listing.why_empty())?,
        (true, _) => say(&anyhow!(listing.why_empty())),
    }
    (tables::format(arguments).write)(&shown, Output::standard().width(), &mut out)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The profile, and what it was made of if it is not one that was exported.
fn read(arguments: &ArgMatches, naming: Naming) -> Result<(Model, Option<Measurement>)> {
    if let Some(file) = open::exported(arguments)? {
        return Ok((Model::read(&file)?, None));
    }
    let (program, data) = &open::files(arguments);
    let (any_build, samples) = (arguments.get_flag("any-build"), &Samples::default());
    let opened = Door { program, data, naming, any_build, samples }.open()?;
    let model = Model::new(&opened.measurement, naming.style())?;
    Ok((model, Some(opened.measurement)))
}
