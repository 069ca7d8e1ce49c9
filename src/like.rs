//! The option `--like EXE`: word size and byte order of data whose program is not at hand.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Arg, ArgMatches, value_parser};
use gmon_analyzer::Image;
use gmon_format::Encoding;

/// The option. `default` says what holds without it.
pub(crate) fn argument(default: &str) -> Arg {
    Arg::new("like")
        .long("like")
        .value_name("EXE")
        .help(format!("Take word size and byte order from this executable [default: {default}]"))
        .value_parser(value_parser!(PathBuf))
}

/// The encoding of the executable, if one is given.
pub(crate) fn encoding(arguments: &ArgMatches) -> Result<Option<Encoding>> {
    let exe = arguments.get_one::<PathBuf>("like");
    Ok(exe.map(|exe| Image::open(exe).map(|image| image.encoding())).transpose()?)
}
