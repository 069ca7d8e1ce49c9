//! `gmon cc`: calls a compiler with what profiling needs added.
//!
//! The command replaces itself by the compiler, so that exit status, signals and output are the
//! compiler's. To builds it must look like the compiler it calls, and add nothing where nothing is
//! needed: `CC="gmon cc gcc"` has to survive the probes of configure scripts.

mod ada;
mod arguments;
pub(crate) mod blocks;
mod compiler;
mod exits;
mod guided;
pub(crate) mod ldc;
mod machine;
mod options;
pub(crate) mod start_files;

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{self, ExitCode};

use anyhow::{Context, Result, bail};
use clap::Command;
use gmon_analyzer::response_files;
use gmon_format::dormant::Processor;

use crate::carried::{self, Port};
use crate::dormant;
use crate::signals::exit_code;
pub(crate) use ada::OPTIONS as GNATMAKE_OPTIONS;
use arguments::{Hooks, Invocation};
use compiler::Compiler;
pub(crate) use compiler::{Dialect, GCCGO_OPTIONS, words_of};
pub(crate) use exits::Returns;

/// Describes the subcommand for `--help`; its arguments are the compiler's and not clap's.
pub(crate) fn command() -> Command {
    Command::new("cc")
        .about("Compiles and links for profiling; use it as CC=\"gmon cc gcc\"")
        .override_usage("gmon cc [--blocks] [--dormant|--times] [COMPILER] ARGS...\n       gmon cc --use-profile PROFILE [COMPILER] ARGS...")
        .after_help(
            "COMPILER is gcc, clang, g++, gfortran, mpif90, gnatmake, gdc, ldc2,\n\
             \"ccache gcc\" ...; the default is $CC, or cc.\n\
             gmon cc adds -pg to compile, and -pg and the runtime library to link a program.\n\
             Shared libraries get no runtime: the program that loads them has it. Questions\n\
             to the compiler, such as --print-search-dirs, pass unchanged.\n\
             \n\
             --blocks also counts every execution of every basic block, and so of lines, with\n\
             -g and the compiler's -fsanitize-coverage.\n\
             \n\
             --dormant makes programs that count nothing until asked: instead of -pg, one or two\n\
             instructions without effect per function (on x86-64, AArch64, 64-bit RISC-V). Wake\n\
             functions with gmon ctl PID on --hooks 'parse_*' or GMON_OPTIONS='hooks=parse_*'.\n\
             \n\
             --times makes programs whose functions call the runtime at both ends, for times of\n\
             calls (gmon run --times) where --dormant gives none: -finstrument-functions, Linux.\n\
             \n\
             --use-profile builds with what was measured instead: PROFILE is gmon.out, or a file of\n\
             gmon export --format llvm-prof or gcc-afdo. It becomes files beside it, for\n\
             -fprofile-sample-use or -fauto-profile, and the order of functions for the linker.",
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
    if let Some(profile) = &compiler.wishes.profile {
        return guided::run(&compiler, arguments, profile);
    }
    let invocation = Invocation::read(&arguments);
    let Completed { mut call, is_dormant, returns } = completed(&compiler, &invocation, arguments)?;
    let cannot_run = || cannot_run(&compiler);
    let linked = invocation.program().or(invocation.library()).filter(|_| is_dormant);
    let Some(linked) = linked else { return Err(call.exec()).with_context(cannot_run) };
    let status = call.status().with_context(cannot_run)?;
    drop(returns);
    if status.success() {
        dormant::put_to_sleep(linked)?;
    }
    Ok(exit_code(status))
}

fn cannot_run(compiler: &Compiler) -> String {
    let program = compiler.program().display();
    format!("cannot run the compiler {program} (install it, or name another first)")
}

/// The call of the compiler with what profiling needs.
struct Completed {
    call: process::Command,
    /// Its hooks are to sleep.
    is_dormant: bool,
    /// An object for a shared library, in a folder that has to stay until it is linked.
    returns: Option<Returns>,
}

/// The call of the compiler with what profiling needs.
///
/// # Errors
///
/// There is no runtime for its machine, or no hooks that sleep.
fn completed(
    compiler: &Compiler,
    invocation: &Invocation,
    arguments: Vec<OsString>,
) -> Result<Completed> {
    let dialect = compiler.dialect();
    let links_program =
        invocation.links_program() && (dialect != Dialect::Ldc || ldc::may_link(&arguments));
    let is_dormant =
        compiler.wishes.dormant && (invocation.makes_code() || invocation.links_something());
    let is_timed =
        compiler.wishes.times && (invocation.makes_code() || invocation.links_something());
    let port = match links_program || is_dormant || is_timed {
        true => machine::port(compiler.words(), &arguments)?,
        false => Port::host(),
    };
    let processor = is_dormant.then(|| dormant_processor(compiler, port)).transpose()?;
    if is_timed {
        check_timed(compiler, port)?;
    }
    let hooks = match processor {
        _ if is_timed => Hooks::Instrumented,
        Some(it) => Hooks::Dormant(it, exits::of(compiler, invocation, &arguments, it)),
        None => Hooks::Awake,
    };
    let needs_return =
        invocation.library().is_some() && processor.is_some_and(Processor::needs_return);
    let returns = match compiler.words() {
        [program, words @ ..] if needs_return => Some(Returns::make(program, words)?),
        _ => None,
    };
    let carried = carried::unpack(port);
    let mut call = compiler.call();
    if let Ok(carried) = &carried {
        carried.offer_headers(&mut call);
    }
    let options = code_options(compiler, invocation, &arguments);
    let carried = if links_program { Some(carried?) } else { None };
    let (archive, unloading) = match &carried {
        Some(carried) => (Some(carried.archive()), carried.unloading()),
        None => (None, None),
    };
    let arguments = match dialect {
        Dialect::Gnatmake | Dialect::Ldc if invocation.asks() => arguments,
        Dialect::Gnatmake => ada::complete(arguments, unloading, archive.as_deref()),
        Dialect::Ldc => ldc::complete(arguments, unloading, archive.as_deref()),
        Dialect::Gcc => {
            call.args(unloading);
            let of_hooks = carried.filter(|_| !is_dormant && !is_timed);
            let start_file =
                of_hooks.and_then(|it| start_files::option(compiler.words(), &arguments, &it));
            let linked = archive.as_deref().or(returns.as_ref().map(Returns::object));
            invocation.complete(arguments, hooks, start_file, linked)
        }
    };
    call.args(options).args(arguments);
    Ok(Completed { call, is_dormant, returns })
}

/// Options for code that is made: hooks of blocks, rules for unwinding, and where and how hooks are called.
fn code_options(
    compiler: &Compiler,
    invocation: &Invocation,
    arguments: &[OsString],
) -> Vec<&'static str> {
    let mut options = Vec::new();
    if compiler.wishes.blocks && invocation.needs_block_hooks() {
        options.extend(blocks::options(compiler.words(), invocation.has_sanitizer()));
    }
    if invocation.makes_code() {
        let rules = machine::lacks_rules(compiler.words(), arguments).then_some(machine::RULES);
        let calls_at_start = machine::lacks_callers(compiler.words(), arguments)
            || compiler.wishes.has_awake_hooks()
                && machine::optimises_calls(compiler.words(), arguments);
        let at_start = calls_at_start.then_some(machine::AT_START);
        options.extend(rules.into_iter().chain(at_start));
        options.extend(compiler.hook_options());
        options.extend(guided::options_of_measured(compiler, arguments));
    }
    options
}

/// The processor on which hooks are to sleep; not every compiler can make such.
fn dormant_processor(compiler: &Compiler, port: &Port) -> Result<&'static Processor> {
    match compiler.dialect() {
        Dialect::Gcc => dormant::processor(port),
        Dialect::Gnatmake => {
            bail!("--dormant is for compilers; gnatmake calls several: leave it out")
        }
        Dialect::Ldc => {
            bail!("--dormant is for compilers that know -pg, not for ldc2: leave it out")
        }
    }
}

/// Checks that calls can be timed by hooks at both ends of functions.
fn check_timed(compiler: &Compiler, port: &Port) -> Result<()> {
    let target = port.target;
    match compiler.dialect() {
        Dialect::Gcc if compiler.wishes.dormant => {
            bail!("--times and --dormant are two ways to time calls: leave one out")
        }
        Dialect::Gcc if port.shared.is_none() => {
            bail!("--times makes programs for Linux, not for {target}: leave it out")
        }
        Dialect::Gcc => Ok(()),
        Dialect::Gnatmake | Dialect::Ldc => {
            bail!("--times is for compilers that know -finstrument-functions: leave it out")
        }
    }
}

/// The compiler's version first, as builds that look for it expect, then ours.
fn show_versions(compiler: &Compiler) -> Result<ExitCode> {
    // A compiler that is not there is no reason not to tell ours.
    let status = compiler.call().arg("--version").status();
    writeln!(io::stdout(), "gmon cc {}", env!("CARGO_PKG_VERSION"))?;
    let failed = status.is_ok_and(|status| !status.success());
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
