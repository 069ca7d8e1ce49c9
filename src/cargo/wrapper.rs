//! The wrapper of rustc: cargo calls it for every crate.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, anyhow};

use super::compilation::Compilation;
use super::instrumentation::{self, Instrumentation};
use super::settings::Settings;
use super::{functions, llvm_notes};
use crate::say;

/// Calls `rustc` with what profiling needs added.
pub(super) fn run(settings: &Settings, rustc: &OsStr, arguments: &[OsString]) -> Result<ExitCode> {
    let compilation = Compilation::read(arguments);
    let compilation = compilation.filter(|found| found.is_for_target && found.makes_code);
    let Some(compilation) = compilation else {
        return replace(settings, rustc, arguments);
    };
    let mut arguments = arguments.to_owned();
    arguments.extend(flags_of_all(settings, &compilation));
    if !settings.wants(&compilation.name) {
        return replace(settings, rustc, &arguments);
    }
    let functions = match settings.instrumentation {
        Instrumentation::Attributes => functions::list(rustc, &arguments),
        _ => Ok(BTreeSet::new()),
    };
    arguments
        .extend(settings.instrumentation.flags(&settings.target).into_iter().map(OsString::from));
    if settings.instrumentation != Instrumentation::Attributes {
        return replace(settings, rustc, &arguments);
    }
    if !compilation.is_optimised {
        // The pass that reads the list is an optimisation.
        arguments.push("-Cpasses=forceattrs".into());
    }
    // Where it fails the crate has errors, which rustc tells now.
    let list = attributes(functions.as_ref().unwrap_or(&BTreeSet::new()), &settings.target)
        .context("cannot write a list of functions")?;
    let ending = compile(rustc, &arguments, list)?;
    if let (Err(error), true) = (functions, ending == 0) {
        say(&anyhow!("{} is not profiled: {error:#}", compilation.name));
    }
    Ok(ExitCode::from(ending))
}

/// What all crates for the target are compiled with, hooks or not.
fn flags_of_all(settings: &Settings, compilation: &Compilation) -> Vec<OsString> {
    // Profiles need names.
    let mut flags = vec![OsString::from("-Cstrip=none")];
    // What rustc does between several units of a crate gives functions names that GNU gprof takes for
    // labels; in one unit, what can be inlined is, and there is only one to which a list applies.
    flags.push("-Ccodegen-units=1".into());
    if !compilation.sets_debuginfo {
        flags.push("-Cdebuginfo=line-tables-only".into());
    }
    if !compilation.sets_mangling {
        // The older names have signs for which GNU gprof takes functions for labels.
        flags.push("-Csymbol-mangling-version=v0".into());
    }
    if compilation.makes_program {
        flags.extend(instrumentation::runtime_flags(
            settings.archive.as_ref(),
            compilation.has_static_c,
        ));
        flags.extend(settings.instrumentation.link_flags().iter().map(OsString::from));
    }
    flags
}

/// Becomes `rustc`, with the user's own wrapper before it.
fn replace(settings: &Settings, rustc: &OsStr, arguments: &[OsString]) -> Result<ExitCode> {
    let mut command = match &settings.rustc_wrapper {
        Some(wrapper) => Command::new(wrapper),
        None => Command::new(rustc),
    };
    command.args(settings.rustc_wrapper.is_some().then_some(rustc)).args(arguments);
    let error = command.exec();
    Err(error).with_context(|| format!("cannot run {}", Path::new(command.get_program()).display()))
}

/// The file that tells LLVM which functions get hooks.
fn attributes(functions: &BTreeSet<String>, target: &str) -> io::Result<File> {
    let mut list = BufWriter::new(tempfile::tempfile()?);
    for name in functions {
        writeln!(list, "{name},{}", instrumentation::attribute(target))?;
    }
    let mut list = list.into_inner()?;
    list.seek(SeekFrom::Start(0))?;
    Ok(list)
}

/// Compiles with a list of attributes, and gives the exit status. The user's wrapper is left out: if it
/// keeps what was compiled, it does not know that the list belongs to it.
fn compile(rustc: &OsStr, arguments: &[OsString], list: File) -> Result<u8> {
    let cannot_run = || format!("cannot run {}", Path::new(rustc).display());
    let mut rustc = Command::new(rustc)
        .args(arguments)
        .stdin(Stdio::from(list))
        .stderr(Stdio::piped())
        .spawn()
        .with_context(cannot_run)?;
    if let Some(said) = rustc.stderr.take() {
        llvm_notes::remove(BufReader::new(said), io::stderr())
            .context("cannot pass on what rustc says")?;
    }
    let status = rustc.wait().with_context(cannot_run)?;
    Ok(status.code().map_or(101, |code| code as u8))
}
