//! `gmon config`: what a build by hand needs, in the manner of `pkg-config`.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Command};

use crate::carried::{self, Libraries};

/// Something to print: its option, its help, and what it is.
type Piece = (&'static str, &'static str, fn(&Libraries) -> OsString);

const PIECES: &[Piece] = &[
    ("cflags", "What to compile with", |_| "-pg".into()),
    ("libs", "What to link with, after the objects", |libraries| libraries.archive.clone().into()),
    ("static-lib", "The path of libgmon.a", |libraries| libraries.archive.clone().into()),
    ("shared-lib", "The path of libgmon.so, for LD_PRELOAD", |libraries| {
        libraries.shared.clone().into()
    }),
];

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    let arguments = PIECES
        .iter()
        .map(|&(name, help, _)| Arg::new(name).long(name).help(help).action(ArgAction::SetTrue));
    Command::new("config")
        .display_name("gmon config")
        .about("Prints what a build by hand needs: flags and the paths of the libraries")
        .after_help("Example: gcc -O2 -g -pg prog.c $(gmon config --libs)")
        .args(arguments)
        .group(
            ArgGroup::new("pieces")
                .args(PIECES.iter().map(|piece| piece.0))
                .multiple(true)
                .required(true),
        )
}

/// Prints the pieces asked for on one line, in the order of the options.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let libraries = carried::unpack()?;
    let mut pieces: Vec<_> = PIECES
        .iter()
        .filter(|piece| arguments.get_flag(piece.0))
        .map(|piece| (arguments.index_of(piece.0), piece.2(&libraries)))
        .collect();
    pieces.sort();

    let words: Vec<_> = pieces.iter().map(|(_, word)| word.as_bytes()).collect();
    let mut line = words.join(&b' ');
    line.push(b'\n');
    io::stdout().write_all(&line)?;
    Ok(ExitCode::SUCCESS)
}
