//! The program to be run: which file, by what name, with what preloaded.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use nix::unistd::{getegid, geteuid};

use super::executable::{self, CAPABLE, Lack, Runtime, SET_ID, gains_capabilities};
use super::sampling::Sampling;
use super::search_path;
use super::sources;
use crate::carried::{self, Port};

/// A program that is ready to be run.
pub(super) struct Launch {
    /// The file that is executed, and that the profile belongs to.
    pub(super) executable: PathBuf,
    /// The name that the program gets as its first argument.
    pub(super) name: OsString,
    arguments: Vec<OsString>,
    /// The library to preload, if the program does not have the runtime in it.
    preload: Option<PathBuf>,
    /// Why the program cannot have a profile itself, if that is known.
    pub(super) why_without_profile: Option<Lack>,
}

impl Launch {
    /// Finds or makes the program that `words` ask for. Sources are compiled to `output`, with
    /// hooks for their blocks or without.
    pub(super) fn prepare(
        mut words: Vec<OsString>,
        output: PathBuf,
        counts_blocks: bool,
        sampling: &Sampling,
    ) -> Result<Self> {
        let first = words.first().cloned().unwrap_or_default();
        if sources::is_source(&first) {
            let arguments = sources::compile(words, &output, counts_blocks)?;
            let executable = Path::new(".").join(output);
            return Ok(Self {
                name: executable.clone().into(),
                executable,
                arguments,
                preload: None,
                why_without_profile: None,
            });
        }
        if counts_blocks {
            let name = Path::new(&first).display();
            bail!(
                "--blocks needs sources, and {name} is a program; build it with gmon cc --blocks"
            );
        }
        let executable = find(&first)?;
        let arguments = words.split_off(1);
        let inspected = executable::inspect(&executable);
        let inspected = inspected.map_err(|unfit| unfit.of(&executable))?;
        let (preload, why_without_profile) = match inspected {
            Runtime::Linked => (None, None),
            Runtime::Wanted { .. } => (Some(library()?), gains_rights(&executable)?),
            Runtime::Other(why) => (None, Some(why)),
            Runtime::Unhooked(why) => {
                // Call stacks need no hooks.
                let lack = (!sampling.stacks).then_some(why);
                (Some(library()?), gains_rights(&executable)?.or(lack))
            }
            Runtime::Absent(why) => (Some(library()?), Some(why)),
        };
        Ok(Self { executable, name: first, arguments, preload, why_without_profile })
    }

    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.executable);
        command.args(&self.arguments);
        if let Some(library) = &self.preload {
            command.env("LD_PRELOAD", before_own(library.into(), "LD_PRELOAD"));
            // AddressSanitizer ends a program in which any library comes before its own. What the user says about
            // that comes later, and counts.
            let options = before_own("verify_asan_link_order=0".into(), "ASAN_OPTIONS");
            command.env("ASAN_OPTIONS", options);
        }
        command
    }
}

/// A part of a list that a variable has, with the user's own parts behind it.
fn before_own(mut list: OsString, variable: &str) -> OsString {
    if let Some(others) = env::var_os(variable).filter(|others| !others.is_empty()) {
        list.push(":");
        list.push(others);
    }
    list
}

/// Finds a program as `execvp` does: a name with a slash is a path, any other is searched in
/// `PATH`.
fn find(name: &OsStr) -> Result<PathBuf> {
    if name.as_bytes().contains(&b'/') {
        return Ok(name.into());
    }
    if let Some(found) = search_path::find(name) {
        return Ok(found);
    }
    let name = Path::new(name);
    if let Some(language) = sources::other_language(name).filter(|_| name.is_file()) {
        bail!("{}: {language}", name.display());
    }
    let remedy = match name.is_file() {
        true => format!("for the file in this folder say ./{}", name.display()),
        false => "give the path of a program, or sources to compile".to_owned(),
    };
    bail!("{} is not in PATH; {remedy}", name.display());
}

/// Why nothing is preloaded into a program that runs with more rights than ours; `None` for others.
fn gains_rights(executable: &Path) -> Result<Option<Lack>> {
    let file = fs::metadata(executable).with_context(|| executable.display().to_string())?;
    let gains_user = file.mode() & 0o4000 != 0 && file.uid() != geteuid().as_raw();
    let gains_group = file.mode() & 0o2000 != 0 && file.gid() != getegid().as_raw();
    let set_id = (gains_user || gains_group).then_some(SET_ID);
    Ok(set_id.or_else(|| gains_capabilities(executable).then_some(CAPABLE)))
}

/// The library to preload.
fn library() -> Result<PathBuf> {
    let library = carried::unpack(Port::host())?.shared()?;
    if library.as_os_str().as_bytes().iter().any(|byte| b": ".contains(byte)) {
        bail!(
            "{} cannot be preloaded, because colons and spaces separate paths in LD_PRELOAD; \
             set XDG_CACHE_HOME to a folder without them",
            library.display()
        );
    }
    Ok(library)
}
