//! Arguments of several commands that name what is read: a program, its data files, and a file like them.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use clap::{Arg, ArgMatches, value_parser};
use gmon_analyzer::{Image, Measurement};
use gmon_format::{Encoding, names};

use crate::naming::Naming;
use crate::{report, say};

/// The arguments of a program and its data files.
pub(crate) fn arguments() -> [Arg; 2] {
    let program = Arg::new("program")
        .value_name("PROGRAM")
        .help("The program")
        .default_value("a.out")
        .value_parser(value_parser!(PathBuf));
    let data = Arg::new("data")
        .value_name("DATA")
        .help("Its data files, which are added up")
        .default_value(names::DATA_FILE)
        .num_args(0..)
        .value_parser(value_parser!(PathBuf));
    [program, data]
}

/// Reads what the arguments name, for a report of which the functions are named so, and warns of data that
/// is not the program's.
pub(crate) fn read(arguments: &ArgMatches, naming: Naming) -> Result<Measurement> {
    let (program, data) = files(arguments);
    open(&program, &data, naming)
}

/// Reads the full profiles beside the data files that the arguments name, if all have one with call stacks; else
/// the data files.
pub(crate) fn read_with_stacks(arguments: &ArgMatches, naming: Naming) -> Result<Measurement> {
    let (program, data) = files(arguments);
    measure(&program, &data, naming)
}

/// Reads the full profiles beside the data files of a program, if all have one with call stacks; else the data files.
pub(crate) fn measure(program: &Path, data: &[PathBuf], naming: Naming) -> Result<Measurement> {
    if let Some(full) = report::full_profiles(data) {
        let measurement = open(program, &full, naming)?;
        if measurement.records().full().has_stacks() || full == data {
            return Ok(measurement);
        }
    }
    open(program, data, naming)
}

fn files(arguments: &ArgMatches) -> (PathBuf, Vec<PathBuf>) {
    let program = arguments.get_one::<PathBuf>("program").cloned().unwrap_or_default();
    (program, arguments.get_many("data").into_iter().flatten().cloned().collect())
}

fn open(program: &Path, data: &[PathBuf], naming: Naming) -> Result<Measurement> {
    let measurement = Measurement::open_by(program, &naming.program_options(), data)?;
    for file in measurement.records().foreign_files() {
        let (file, program) = (file.display(), program.display());
        say(&anyhow!(
            "warning: {file} seems to be of another program than {program}; see gmon doctor {program} {file}"
        ));
    }
    for (file, miscount) in measurement.records().miscounts() {
        say(&anyhow!("warning: {}: {miscount}", file.display()));
    }
    Ok(measurement)
}

/// The option `--like EXE`: word size and byte order of data whose program is not at hand. `default` says what holds without it.
pub(crate) fn like(default: &str) -> Arg {
    Arg::new("like")
        .long("like")
        .value_name("EXE")
        .help(format!("Take word size and byte order from this executable [default: {default}]"))
        .value_parser(value_parser!(PathBuf))
}

/// The encoding of the executable, if one is given.
pub(crate) fn encoding_like(arguments: &ArgMatches) -> Result<Option<Encoding>> {
    let exe = arguments.get_one::<PathBuf>("like");
    Ok(exe.map(|exe| Image::open(exe).map(|image| image.encoding())).transpose()?)
}
