//! `gmon annotate`: the source of a program, with what its profile says about each line.
//!
//! ```text
//! measurement ─┬→ listing: the sources, line by line ──────┬→ tables
//!              └→ hottest: the lines that cost the most ─┘
//! ```

mod cells;
mod function;
mod hottest;
mod listing;

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::naming::Naming;
use crate::open::{self, Door, Samples};
use crate::report::Output;
use crate::{say, tables};
use anyhow::{Result, anyhow};
use cells::Cells;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use listing::Listing;

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("annotate")
        .display_name("gmon annotate")
        .about("Shows the source with executions, time and calls of each line")
        .arg(
            Arg::new("line")
                .long("line")
                .help("List the lines that took the most time or, without samples, ran most often")
                .action(ArgAction::SetTrue),
        )
        .arg(
            Arg::new("function")
                .long("function")
                .value_name("NAME")
                .help("Show only this function")
                .conflicts_with("line"),
        )
        .arg(
            Arg::new("top")
                .long("top")
                .value_name("N")
                .help("How many lines --line lists")
                .default_value("20")
                .value_parser(value_parser!(usize)),
        )
        .arg(tables::argument("text, markdown, csv, tsv or json", &[]))
        .arg(
            Arg::new("source")
                .short('I')
                .long("source")
                .value_name("FOLDER")
                .help("Where to look for sources that have moved since they were compiled")
                .action(ArgAction::Append)
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(Naming::argument("plain"))
        .args(open::arguments())
        .after_help(
            "Executions are counted in programs built with gmon cc --blocks or gmon run\n\
             --blocks; ##### marks lines that never ran. Other programs show calls and time,\n\
             if compiled with -g. Below each line stand the functions that it called, and the\n\
             places where its own function was inlined.",
        )
}

/// Reads the profile and shows it.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let folders = arguments.get_many::<PathBuf>("source").into_iter().flatten().cloned().collect();
    let naming = Naming::asked_for(arguments);
    let (program, data) = &open::files(arguments);
    let (any_build, samples) = (arguments.get_flag("any-build"), &Samples::default());
    let measurement = &Door { program, data, naming, any_build, samples }.open_counts()?;
    let costs = measurement.source_costs()?;
    let names = measurement.names(naming.style());
    let cells = Cells::new(measurement.records().histograms().sampling(), costs);
    let listing = Listing { program: measurement.program(), costs, names, cells, folders };
    let shown = if let Some(name) = arguments.get_one::<String>("function") {
        function::find(&listing, name)?.iter().filter_map(|it| listing.function(it)).collect()
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
