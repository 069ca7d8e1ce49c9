//! The wrapper of rustc: cargo calls it for every crate.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, anyhow};

use super::compilation::Compilation;
use super::handover::{self, Handover};
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
    let hooks = settings.instrumentation.flags(&settings.target).into_iter().map(OsString::from);
    if settings.instrumentation != Instrumentation::Attributes {
        arguments.extend(hooks);
        return replace(settings, rustc, &arguments);
    }
    let mut is_listed = Ok(());
    let list = if compilation.optimises_links {
        // Where it fails the crate has errors, which rustc tells when it compiles.
        let functions = functions::list(rustc, &arguments).unwrap_or_else(|error| {
            is_listed = Err(error);
            BTreeSet::new()
        });
        Handover::of(&functions, &settings.target)
    } else {
        arguments.extend(handover::WRITE_FUNCTIONS.map(OsString::from));
        Handover::while_compiling(&settings.target)
    };
    let list = list.context("cannot write a list of functions")?;
    arguments.extend(hooks);
    if !compilation.is_optimised {
        // The pass that reads the list is an optimisation.
        arguments.push("-Cpasses=forceattrs".into());
    }
    let ending = compile(rustc, &arguments, &list)?;
    if let (Err(error), true) = (is_listed.and(list.end()), ending == 0) {
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

/// Compiles with a list of attributes, and gives the exit status. The user's wrapper is left out: if it
/// keeps what was compiled, it does not know that the list belongs to it.
fn compile(rustc: &OsStr, arguments: &[OsString], list: &Handover) -> Result<u8> {
    let cannot_run = || format!("cannot run {}", Path::new(rustc).display());
    let mut rustc = Command::new(rustc)
        .args(arguments)
        .stdin(list.standard_input()?)
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
