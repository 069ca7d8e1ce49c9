//! `gmon merge`: adds up data files as they are, without the program that wrote them.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use clap::{Arg, ArgMatches, Command, value_parser};
use gmon_analyzer::progress::ProgressLine;
use gmon_analyzer::records::{self, Watch};
use gmon_analyzer::sum::{Sum, replace_file};

use crate::{like, say};

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    let path = || value_parser!(PathBuf);
    Command::new("merge")
        .display_name("gmon merge")
        .about("Adds up data files into one, without the program that wrote them")
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("OUT")
                .help("The file to write; it may be one of the input files")
                .required(true)
                .value_parser(path()),
        )
        .arg(like::argument("from the data"))
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .help("A data file of any format; - is the standard input")
                .required(true)
                .num_args(1..)
                .value_parser(path()),
        )
        .after_help(
            "Unlike gprof -s, gmon merge keeps call sites apart. It writes the GNU format, and\n\
             splits counts too large for a record over several, which every gprof adds up.",
        )
}

/// Reads the files and writes their sum.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let files: Vec<&PathBuf> = arguments.get_many("file").into_iter().flatten().collect();
    let encoding = like::encoding(arguments)?;
    let mut progress = Progress(ProgressLine::new("gmon: merging"));
    let (records, encoding) = records::load_raw(&files, encoding, &mut progress)?;
    drop(progress);
    for (file, miscount) in records.miscounts() {
        say(&anyhow!("warning: {}: {miscount}", file.display()));
    }
    let sum = Sum::raw(&records);
    if let Some(output) = arguments.get_one::<PathBuf>("output") {
        replace_file(output, |out| sum.write_gnu(encoding, out))
            .with_context(|| output.display().to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

struct Progress(ProgressLine);

impl Watch for Progress {
    fn progress(&mut self, read: usize, all: usize) {
        self.0.update(read, all);
    }
}
