//! `gmon export`: a profile in the format of another program.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Arg, ArgMatches, Command, value_parser};
use gmon_analyzer::SymbolTable;
use gmon_analyzer::analysis::SourceCosts;
use gmon_analyzer::export::write_lcov;

use crate::inputs;
use crate::naming::Naming;

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    Command::new("export")
        .display_name("gmon export")
        .about("Writes a profile in the format of another program")
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .help("lcov: executions of lines and functions, for genhtml and others")
                .required(true)
                .value_parser(["lcov"]),
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
            "Executions are counted in programs that were built with gmon cc --blocks or\n\
             gmon run --blocks:\n\
             \n    gmon export --format lcov ./prog > prog.info && genhtml -o html prog.info",
        )
}

/// Reads the profile and writes it.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let measurement = inputs::read(arguments, Naming::Plain)?;
    let (program, costs) = (measurement.program(), measurement.source_costs()?);
    if !costs.knows_executions() {
        bail!(
            "{}: no basic blocks were counted; build the program with gmon cc --blocks",
            program.image().path().display()
        );
    }
    match arguments.get_one::<PathBuf>("output") {
        None => write(costs, program.symbols(), io::stdout().lock())?,
        Some(path) => File::create(path)
            .and_then(|file| write(costs, program.symbols(), file))
            .with_context(|| path.display().to_string())?,
    }
    Ok(ExitCode::SUCCESS)
}

fn write(costs: &SourceCosts, symbols: &SymbolTable, out: impl Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    write_lcov(costs, symbols, &mut out)?;
    out.flush()
}
