//! The wrapper of rustc: cargo calls it for every crate.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use anyhow::{Context, Result, anyhow};

use super::compilation::Compilation;
use super::handover::{self, Handover};
use super::instrumentation::{self, Instrumentation};
use super::pgo::{self, Guidance, Stage};
use super::settings::Settings;
use super::{functions, llvm_notes};
use crate::cc::Returns;
use crate::text::joined;
use crate::{dormant, say};

/// Calls `rustc` with what profiling needs added.
pub(super) fn run(settings: &Settings, rustc: &OsStr, arguments: &[OsString]) -> Result<ExitCode> {
    let compilation = Compilation::read(arguments);
    let compilation = compilation.filter(|found| found.is_for_target && found.makes_code);
    let Some(compilation) = compilation else {
        return replace(plain(settings, rustc, arguments));
    };
    let mut arguments = arguments.to_owned();
    arguments.extend(flags_of_all(settings, &compilation));
    match &settings.guidance {
        Some(guidance) if guidance.stage == Stage::Plain => {
            return replace(plain(settings, rustc, &arguments));
        }
        Some(guidance) if guidance.stage == Stage::Guided => {
            if compilation.makes_program {
                arguments.extend(order(rustc, &arguments, guidance)?);
            }
            let ending = compile_by_list(settings, rustc, arguments, &compilation)?;
            return Ok(ExitCode::from(ending));
        }
        _ => {}
    }
    let instrumentation = settings.instrumentation;
    let is_wanted = settings.wants(&compilation.name);
    let has_list = is_wanted && instrumentation.has_list();
    if is_wanted && !has_list {
        arguments.extend(instrumentation.flags(&settings.target).into_iter().map(OsString::from));
    }
    let sleeper = compilation.linked().filter(|_| instrumentation == Instrumentation::Dormant);
    let needs_return = compilation.makes_library && instrumentation.needs_return(&settings.target);
    let returns = needs_return.then(|| Returns::make("cc".as_ref(), &[])).transpose()?;
    if let Some(returns) = &returns {
        arguments.push(joined("-Clink-arg=", returns.object()));
    }
    if !has_list && sleeper.is_none() {
        return replace(plain(settings, rustc, &arguments));
    }
    let ending = match has_list {
        true => compile_by_list(settings, rustc, arguments, &compilation)?,
        false => {
            let mut command = plain(settings, rustc, &arguments);
            ending(command.status().with_context(|| cannot_run(&command))?)
        }
    };
    if let (0, Some(program)) = (ending, sleeper) {
        dormant::put_to_sleep(&program)?;
    }
    Ok(ExitCode::from(ending))
}

/// Compiles with a list of functions, and gives the exit status.
fn compile_by_list(
    settings: &Settings,
    rustc: &OsStr,
    mut arguments: Vec<OsString>,
    compilation: &Compilation,
) -> Result<u8> {
    let guided = settings.guidance.as_ref().filter(|guidance| guidance.stage == Stage::Guided);
    let (attributes, flags) = match guided {
        Some(_) => (pgo::ATTRIBUTES, vec![handover::OPTION]),
        None => {
            let (instrumentation, target) = (settings.instrumentation, &settings.target);
            (instrumentation.attributes(target), instrumentation.flags(target))
        }
    };
    let mut is_listed = Ok(());
    let list = if compilation.optimises_links {
        // Where it fails the crate has errors, which rustc tells when it compiles.
        let functions = functions::list(rustc, &arguments).unwrap_or_else(|error| {
            is_listed = Err(error);
            BTreeSet::new()
        });
        Handover::of(&functions, attributes)
    } else {
        arguments.extend(handover::WRITE_FUNCTIONS.map(OsString::from));
        Handover::while_compiling(attributes)
    };
    let list = list.context("cannot write a list of functions")?;
    if let Some(guidance) = guided {
        list.offer(guidance.profile().as_ref()).context("cannot hand the profile to LLVM")?;
    }
    arguments.extend(flags.into_iter().map(OsString::from));
    if !compilation.is_optimised {
        // The pass that reads the list is an optimisation.
        arguments.push("-Cpasses=forceattrs".into());
    }
    let ending = compile(rustc, &arguments, &list)?;
    if let Some(guidance) = &settings.guidance {
        guidance.keep(compilation, &list.names())?;
    }
    if let (Err(error), true) = (is_listed.and(list.end()), ending == 0) {
        let what = if guided.is_some() { "built without the profile" } else { "not profiled" };
        say(&anyhow!("{} is {what}: {error:#}", compilation.name));
    }
    Ok(ending)
}

/// Flags for all crates of the target, hooks or not.
fn flags_of_all(settings: &Settings, compilation: &Compilation) -> Vec<OsString> {
    // Profiles need names.
    let mut flags = vec![OsString::from("-Cstrip=none")];
    // What rustc does between several units of a crate gives functions names that GNU gprof takes for
    // labels; in one unit, what can be inlined is, and there is only one to which a list applies.
    flags.push("-Ccodegen-units=1".into());
    if let Some(guidance) = &settings.guidance {
        flags.extend(guidance.flags(compilation));
    } else if !compilation.sets_debuginfo {
        flags.push("-Cdebuginfo=line-tables-only".into());
    }
    if !compilation.sets_mangling {
        // The older names have signs for which GNU gprof takes functions for labels.
        flags.push("-Csymbol-mangling-version=v0".into());
    }
    let is_measured = settings.guidance.as_ref().is_none_or(|it| it.stage == Stage::Measured);
    if compilation.makes_program && is_measured {
        flags.extend(instrumentation::runtime_flags(
            settings.archive.as_ref(),
            compilation.has_static_c,
        ));
        flags.extend(settings.instrumentation.link_flags().iter().map(OsString::from));
    }
    flags
}

/// The options for the order of functions, if the linker takes one.
fn order(rustc: &OsStr, arguments: &[OsString], guidance: &Guidance) -> Result<Vec<OsString>> {
    let options = pgo::order_options(rustc, arguments, &guidance.results)?;
    if options.is_empty() {
        say(&anyhow!(
            "the linker takes no order of functions, so they stay where they were; link with lld \
             (RUSTFLAGS=-Clink-arg=-fuse-ld=lld)"
        ));
    }
    Ok(options)
}

/// A call of `rustc`, with the user's own wrapper before it.
fn plain(settings: &Settings, rustc: &OsStr, arguments: &[OsString]) -> Command {
    let mut command = match &settings.rustc_wrapper {
        Some(wrapper) => Command::new(wrapper),
        None => Command::new(rustc),
    };
    command.args(settings.rustc_wrapper.is_some().then_some(rustc)).args(arguments);
    command
}

/// Becomes what a command runs.
fn replace(mut command: Command) -> Result<ExitCode> {
    let error = command.exec();
    Err(error).with_context(|| cannot_run(&command))
}

fn cannot_run(command: &Command) -> String {
    format!("cannot run {}", Path::new(command.get_program()).display())
}

/// Compiles with a list of attributes, and gives the exit status. The user's wrapper is left out: if it
/// keeps what was compiled, it does not know that the list belongs to it.
fn compile(rustc: &OsStr, arguments: &[OsString], list: &Handover) -> Result<u8> {
    let mut command = Command::new(rustc);
    command.args(arguments).stdin(list.standard_input()?).stderr(Stdio::piped());
    let mut rustc = command.spawn().with_context(|| cannot_run(&command))?;
    if let Some(said) = rustc.stderr.take() {
        llvm_notes::remove(BufReader::new(said), io::stderr())
            .context("cannot pass on what rustc says")?;
    }
    Ok(ending(rustc.wait().with_context(|| cannot_run(&command))?))
}

/// The exit status; that of a panic for one whom a signal has ended.
fn ending(status: ExitStatus) -> u8 {
    status.code().map_or(101, |code| code as u8)
}
