//! Arguments of several commands that name what is read: a program, its data files, and a file like them.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};
use gmon_analyzer::{Image, Model};
use gmon_format::{Encoding, names};

use super::program::{is_program, recorded_in};
use crate::command_line::{flag, path_operand, path_option};

/// The arguments of a program and its data files.
pub(crate) fn arguments() -> [Arg; 3] {
    let program = path_operand("program", "PROGRAM", "The program").default_value("a.out");
    let data = path_operand("data", "DATA", "Its data files, which are added up")
        .default_value(names::DATA_FILE)
        .num_args(0..);
    [program, data, any_build()]
}

/// The option `--any-build`.
pub(crate) fn any_build() -> Arg {
    flag("any-build", "Take data of another build of PROGRAM; names can be wrong then")
}

/// The program and the data files that the arguments name. Without a program it is the one that the full profile of the data names.
pub(crate) fn files(arguments: &ArgMatches) -> (PathBuf, Vec<PathBuf>) {
    let data: Vec<PathBuf> = arguments.get_many("data").into_iter().flatten().cloned().collect();
    let is_named = arguments.value_source("program") == Some(ValueSource::CommandLine);
    let named = arguments.get_one::<PathBuf>("program").cloned().unwrap_or_default();
    let recorded = data.first().filter(|_| !is_named).and_then(|file| recorded_in(file));
    // One that has gone is better missed by its name than by the usual one.
    let found = recorded.filter(|program| is_program(program) || !named.exists());
    (found.unwrap_or(named), data)
}

/// The exported profile that the arguments name in place of a program, if it is one.
///
/// # Errors
///
/// Data files are named behind it.
pub(crate) fn exported(arguments: &ArgMatches) -> Result<Option<PathBuf>> {
    let first = arguments.get_one::<PathBuf>("program").filter(|first| Model::is_in(first));
    let has_data = arguments.value_source("data") == Some(ValueSource::CommandLine);
    if let Some(first) = first.filter(|_| has_data) {
        bail!("{}: an exported profile; name no data files behind it", first.display());
    }
    Ok(first.cloned())
}

/// The option `--like EXE`: word size and byte order of data whose program is not at hand. `default` says what holds without it.
pub(crate) fn like(default: &str) -> Arg {
    path_option(
        "like",
        "EXE",
        &format!("Take word size and byte order from this executable [default: {default}]"),
    )
}

/// The encoding of the executable, if one is given.
pub(crate) fn encoding_like(arguments: &ArgMatches) -> Result<Option<Encoding>> {
    let exe = arguments.get_one::<PathBuf>("like");
    Ok(exe.map(|exe| Image::open(exe).map(|image| image.encoding())).transpose()?)
}
