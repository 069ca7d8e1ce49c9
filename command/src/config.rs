//! `gmon config`: what a build by hand needs, in the manner of `pkg-config`.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::ExitCode;

use anyhow::Result;
use clap::{ArgGroup, ArgMatches, Command};

use crate::carried::{self, Layout};
use crate::command_line::flag;
use crate::text::joined;

/// Something to print: its option, its help, and what it is.
type Piece = (&'static str, &'static str, fn(&Layout) -> Result<OsString>);

const PIECES: &[Piece] = &[
    ("cflags", "What to compile with", |carried| Ok(joined("-pg -I", carried.headers()))),
    ("libs", "What to link with, after the objects", |carried| Ok(carried.archive().into())),
    ("static-lib", "The path of libgmon.a", |carried| Ok(carried.archive().into())),
    ("shared-lib", "The path of libgmon.so, for LD_PRELOAD", |carried| {
        Ok(carried.shared()?.into())
    }),
    ("prefix", "The folder where CMake and pkg-config find gmon", |carried| {
        Ok(carried.prefix().into())
    }),
];

/// The subcommand's arguments.
pub(crate) fn command() -> Command {
    let arguments = PIECES.iter().map(|&(name, help, _)| flag(name, help));
    Command::new("config")
        .display_name("gmon config")
        .about("Prints flags and paths of libraries, for builds by hand")
        .override_usage("gmon config [OPTIONS]")
        .after_help(
            "Examples:\n  \
             gcc -O2 -g prog.c $(gmon config --cflags --libs)\n  \
             cmake -DCMAKE_PREFIX_PATH=\"$(gmon config --prefix)\" ...\n  \
             PKG_CONFIG_PATH=\"$(gmon config --prefix)/lib/pkgconfig\" meson setup ...\n\n\
             So find_package(gmon) finds it in CMake, and dependency('gmon') in Meson.",
        )
        .args(arguments)
        .arg(carried::target_argument())
        .group(
            ArgGroup::new("pieces")
                .args(PIECES.iter().map(|piece| piece.0))
                .multiple(true)
                .required(true),
        )
}

/// Prints the pieces asked for on one line, in the order of the options.
pub(crate) fn run(arguments: &ArgMatches) -> Result<ExitCode> {
    let carried = carried::unpack(carried::port_asked_for(arguments)?)?;
    let mut pieces: Vec<_> = PIECES
        .iter()
        .filter(|piece| arguments.get_flag(piece.0))
        .map(|piece| Ok((arguments.index_of(piece.0), piece.2(&carried)?)))
        .collect::<Result<_>>()?;
    pieces.sort_unstable();

    let words: Vec<_> = pieces.iter().map(|(_, word)| word.as_bytes()).collect();
    let mut line = words.join(&b' ');
    line.push(b'\n');
    io::stdout().write_all(&line)?;
    Ok(ExitCode::SUCCESS)
}
