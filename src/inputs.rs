//! Arguments of several commands that name what is read: a program, its data files, and a file like them.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use clap::{Arg, ArgMatches, value_parser};
use gmon_analyzer::progress::ProgressLine;
use gmon_analyzer::{Image, Measurement, ProgramOptions};
use gmon_format::{Encoding, names};

use crate::naming::Naming;
use crate::report::{Samples, View, needs_stacks};
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
    open(&program, &data, &naming.program_options())
}

/// Reads the full profiles beside the data files that the arguments name, if all have one with call stacks, and
/// looks only at the samples that are asked for; else reads the data files.
pub(crate) fn read_with_stacks(arguments: &ArgMatches, naming: Naming) -> Result<Measurement> {
    let (program, data) = files(arguments);
    measure_samples(&program, &data, naming, &Samples::asked_for(arguments))
}

/// Reads the full profiles beside the data files of a program, if all have one with call stacks; else the data files.
pub(crate) fn measure(program: &Path, data: &[PathBuf], naming: Naming) -> Result<Measurement> {
    measure_samples(program, data, naming, &Samples::default())
}

/// Looks only at some samples of what [`measure`] reads.
fn measure_samples(
    program: &Path,
    data: &[PathBuf],
    naming: Naming,
    samples: &Samples,
) -> Result<Measurement> {
    let mut why = "they were not sampled with stacks";
    if let Some(full) = report::full_profiles(data) {
        // Stacks show functions of stripped programs, too, by where they begin.
        let options = ProgramOptions { names_stripped: true, ..naming.program_options() };
        let measurement = open(program, &full, &options)?;
        if measurement.records().full().has_stacks() {
            return samples.narrow(measurement, (program, data), View::of_all(naming));
        }
        why = "no sample has a call stack";
        let has_more = measurement.records().full().has_more();
        if (has_more || full == data) && samples.option().is_none() {
            return Ok(measurement);
        }
    }
    match samples.option() {
        Some(option) => Err(needs_stacks(option, why, data)),
        None => open(program, data, &naming.program_options()),
    }
}

fn files(arguments: &ArgMatches) -> (PathBuf, Vec<PathBuf>) {
    let program = arguments.get_one::<PathBuf>("program").cloned().unwrap_or_default();
    (program, arguments.get_many("data").into_iter().flatten().cloned().collect())
}

/// A line that tells how many files of many are read.
pub(crate) fn reading() -> ProgressLine {
    ProgressLine::new("gmon: reading profiles")
}

fn open(program: &Path, data: &[PathBuf], options: &ProgramOptions) -> Result<Measurement> {
    let measurement = Measurement::open_by(program, options, data, &mut reading())?;
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
