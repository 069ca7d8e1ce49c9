//! `gmon export`: a profile in the format of another program.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgMatches, Command, value_parser};
use gmon_analyzer::Measurement;
use gmon_analyzer::export::{FORMATS, Format, Need};

use crate::inputs;
use crate::naming::Naming;

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    let list = FORMATS.iter().map(|format| format!("{}: {}", format.name, format.help));
    Command::new("export")
        .display_name("gmon export")
        .about("Writes a profile in the format of another program")
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .help(list.collect::<Vec<_>>().join("\n"))
                .required(true)
                .value_parser(FORMATS.iter().map(|format| format.name).collect::<Vec<_>>()),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .help("The file to write [default: standard output]")
                .value_parser(value_parser!(PathBuf)),
        )
        .args(inputs::arguments())
        .after_help(
            "Programs built with gmon cc --blocks or gmon run --blocks count executions:\n\
             \n    gmon export --format lcov ./prog > prog.info && genhtml -o html prog.info",
        )
}

/// Reads the profile and writes it.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let name = arguments.get_one::<String>("format").map_or("", String::as_str);
    let format = FORMATS.iter().find(|format| format.name == name);
    let format = format.with_context(|| format!("{name}: an unknown format"))?;
    let measurement = inputs::read(arguments, Naming::Plain)?;
    if let Some(need) = format.missing(&measurement)? {
        bail!("{}: {}", measurement.program().image().path().display(), refusal(need));
    }
    match arguments.get_one::<PathBuf>("output") {
        None => write(format, &measurement, io::stdout().lock())?,
        Some(path) => File::create(path)
            .and_then(|file| write(format, &measurement, file))
            .with_context(|| path.display().to_string())?,
    }
    Ok(ExitCode::SUCCESS)
}

fn write(format: &Format, measurement: &Measurement, out: impl Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    (format.write)(measurement, &mut out)?;
    out.flush()
}

/// What is missing, and how to get it.
fn refusal(need: Need) -> &'static str {
    match need {
        Need::BlockCounts => {
            "no basic blocks were counted; build the program with gmon cc --blocks"
        }
    }
}
