//! `gmon annotate`: the source of a program, with what its profile says about each line.
//!
//! ```text
//! measurement ─┬→ listing: the sources, line by line
//!              └→ hottest: the lines that cost the most
//! ```

mod cells;
mod function;
mod hottest;
mod listing;

use std::io::{BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use crate::naming::Naming;
use crate::open::{self, Door, Samples};
use anyhow::Result;
use cells::Cells;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use gmon_analyzer::table::{TABLE_FORMATS, TableFormat};
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
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .help("With --line: text, markdown, csv, tsv or json [default: text]")
                .hide_possible_values(true)
                .requires("line")
                .value_parser(TABLE_FORMATS.iter().map(|it| it.name).collect::<Vec<_>>()),
        )
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
    let cells = Cells::new(measurement.records().histograms().sampling(), costs, width());
    let listing = Listing { program: measurement.program(), costs, names, cells, folders };

    let mut out = BufWriter::new(anstream::stdout().lock());
    if let Some(name) = arguments.get_one::<String>("function") {
        let functions = function::find(&listing, name)?;
        functions.iter().try_for_each(|function| listing.function(function, &mut out))?;
    } else if arguments.get_flag("line") {
        let top = arguments.get_one::<usize>("top").copied().unwrap_or_default();
        let format = arguments.get_one::<String>("format").and_then(|it| TableFormat::of(it));
        let format = format.unwrap_or(&TableFormat::TEXT);
        (format.write)(&[hottest::table(&listing, top)], width(), &mut out)?;
    } else {
        listing.files(&mut out)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The columns of the terminal, if the output is one.
fn width() -> Option<usize> {
    let stdout = std::io::stdout();
    let is_terminal = stdout.is_terminal();
    let size = terminal_size::terminal_size_of(stdout).filter(|_| is_terminal);
    size.map(|(terminal_size::Width(columns), _)| columns.into())
}
