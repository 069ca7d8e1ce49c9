//! `gmon cc`: calls a compiler with what profiling needs added.
//!
//! It replaces itself by the compiler, so that exit status, signals and output are the compiler's.
//! To builds it must look like the compiler it calls, and add nothing where nothing is needed:
//! `CC="gmon cc gcc"` has to survive the probes of configure scripts and of CMake.

mod ada;
mod arguments;
pub(crate) mod blocks;
mod compiler;
mod machine;
mod options;
pub(crate) mod start_files;

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Command;
use gmon_analyzer::response_files;

use crate::carried::{self, Port};
pub(crate) use ada::OPTIONS as GNATMAKE_OPTIONS;
use arguments::Invocation;
use compiler::Compiler;
pub(crate) use compiler::GCCGO_OPTIONS;

/// Describes the subcommand for `--help`; its arguments are the compiler's and not clap's.
pub(crate) fn command() -> Command {
    Command::new("cc")
        .about("Compiles and links for profiling; use it as CC=\"gmon cc gcc\"")
        .override_usage("gmon cc [--blocks] [COMPILER] ARGS...")
        .after_help(
            "COMPILER is gcc, clang, g++, gfortran, mpif90, gnatmake, gdc, \"ccache gcc\" ...; the default is\n\
             $CC, or cc.\n\
             gmon cc adds -pg to compile, and -pg and the runtime library to link a program.\n\
             Shared libraries get no runtime: the program that loads them has it. Questions\n\
             to the compiler, such as --print-search-dirs, pass unchanged.\n\
             \n\
             --blocks also counts every execution of every basic block, and so of lines, with\n\
             -g and the compiler's -fsanitize-coverage.",
        )
}

/// The description with all that `--help` shows.
fn help() -> Command {
    crate::described(command())
}

/// The words with those of files `@FILE` in their place, as the compilers read them; where they refuse the
/// files, the words as they are.
fn expand_words(words: &[OsString]) -> Vec<OsString> {
    response_files::expand(words).unwrap_or_else(|_| words.to_vec())
}

/// Calls the compiler. Returns only if that is not possible, or to answer `--help` and `--version`.
pub(crate) fn run(words: Vec<OsString>) -> Result<ExitCode> {
    let (compiler, arguments) = Compiler::split(words);
    if !compiler.is_named {
        match arguments.as_slice() {
            [] => {
                write!(io::stderr(), "{}", help().render_help())?;
                return Ok(ExitCode::from(2));
            }
            [word] if word == "--help" || word == "-h" => {
                write!(io::stdout(), "{}", help().render_help())?;
                return Ok(ExitCode::SUCCESS);
            }
            [word] if word == "--version" => return show_versions(&compiler),
            _ => {}
        }
    }
    let invocation = Invocation::read(&arguments);
    let links_program = invocation.links_program();
    let port =
        if links_program { machine::port(compiler.words(), &arguments)? } else { Port::host() };
    let carried = carried::unpack(port);
    let mut call = compiler.call();
    if let Ok(carried) = &carried {
        carried.offer_headers(&mut call);
    }
    let (start_file, archive, unloading) = if links_program {
        let carried = carried?;
        let start_file = start_files::option(compiler.words(), &arguments, &carried);
        (start_file, Some(carried.archive()), carried.unloading())
    } else {
        (None, None, None)
    };
    let blocks = match compiler.counts_blocks && invocation.needs_block_hooks() {
        true => blocks::options(compiler.words(), invocation.has_sanitizer()),
        false => Vec::new(),
    };
    let rules = (invocation.makes_code() && machine::lacks_rules(compiler.words(), &arguments))
        .then_some(machine::RULES);
    let hooks = if invocation.makes_code() { compiler.hook_options() } else { &[] };
    let arguments = match compiler.is_gnatmake() {
        true if invocation.asks() => arguments,
        true => ada::complete(arguments, unloading, archive.as_deref()),
        false => {
            call.args(unloading);
            invocation.complete(arguments, start_file, archive.as_deref())
        }
    };
    let error = call.args(blocks).args(rules).args(hooks).args(arguments).exec();
    Err(error).with_context(|| {
        let program = compiler.program().display();
        format!("cannot run the compiler {program} (install it, or name another first)")
    })
}

/// The compiler's version first, as builds that look for it expect, then ours.
fn show_versions(compiler: &Compiler) -> Result<ExitCode> {
    // A compiler that is not there is no reason not to tell ours.
    let status = compiler.call().arg("--version").status();
    writeln!(io::stdout(), "gmon cc {}", env!("CARGO_PKG_VERSION"))?;
    let failed = status.is_ok_and(|status| !status.success());
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
