//! Where the profiles of a run go.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use gmon_format::names;
use gmon_format::options::Key;

use super::ledger::Ledger;
use super::processes::{Process, name_of};
use super::ranks;
use super::settings::{self, OptionList, joined};

/// Where the profiles of a run go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// Where the runtime puts them, which is `gmon.out` if the user says nothing. What other processes
    /// counted is added to that of their program.
    Usual,
    /// One file; those of further programs beside it.
    File(PathBuf),
    /// A folder, with a file for each process.
    Folder(PathBuf),
    /// A folder, with a file for each program, to which more is added that it has counted.
    Sums(PathBuf),
}

impl Destination {
    /// Sends profiles there by an option.
    ///
    /// # Errors
    ///
    /// The path cannot be written in these options.
    pub(super) fn add_to(&self, options: &mut OptionList, ledger: &Ledger) -> Result<()> {
        let folder = match self {
            Self::Usual => return Ok(()),
            Self::Folder(_) | Self::File(_) | Self::Sums(_) => ledger.folder(),
        };
        if folder.as_os_str().as_bytes().contains(&b',') {
            bail!(
                "{}: the path of a folder for profiles cannot have a comma; name another with -d",
                folder.display()
            );
        }
        let mut out = OsString::from("out=");
        out.push(settings::pattern_of(folder));
        out.push("/%e.%p");
        options.push(out);
        Ok(())
    }

    /// Whether a file is where the runtime puts the first process's, because the user said nothing.
    pub(super) fn is_usual(&self, file: &Path) -> bool {
        let is_named = OptionList::of_environment().has(Key::Out)
            || env::var_os(names::PREFIX_VARIABLE).is_some();
        *self == Self::Usual && !is_named && file.file_name() == Some(ranks::usual().as_ref())
    }

    /// The ledger of a run whose profiles go there.
    pub(super) fn ledger(&self) -> Result<Ledger> {
        let Self::Folder(folder) = self else { return Ledger::temporary() };
        let shown = folder.display();
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {shown}"))?;
        Ledger::in_folder(&std::path::absolute(folder).with_context(|| shown.to_string())?)
    }

    /// The file that a process would have written, had it not been killed.
    pub(super) fn file_of(&self, process: &Process, is_first: bool, ledger: &Ledger) -> PathBuf {
        let (program, id) = (&process.program, process.id);
        let of_process =
            |base: &OsStr| joined(names::own(base.as_bytes(), id.to_string().as_bytes()));
        let named = || match settings::named(Key::Out, program, id) {
            Some(named) if named.names_process || is_first => Some(named.path),
            Some(named) => Some(of_process(named.path.as_os_str())),
            None => env::var_os(names::PREFIX_VARIABLE).map(|base| of_process(&base)),
        };
        let own = || ledger.folder().join(format!("{}.{id}", name_of(program)));
        match self {
            Self::Usual => named().unwrap_or_else(|| if is_first { ranks::usual() } else { own() }),
            Self::File(_) | Self::Folder(_) | Self::Sums(_) => own(),
        }
    }

    /// The file for the sum of what a program counted in several processes. The `main` program is the one
    /// that was to be run, or the only one that was profiled.
    pub(super) fn sum(&self, program: &Path, is_main: bool) -> PathBuf {
        let beside = |path: &Path| {
            let mut path = path.as_os_str().to_owned();
            if !is_main {
                path.push(".");
                path.push(program.file_name().unwrap_or_default());
            }
            PathBuf::from(path)
        };
        match self {
            Self::Usual => beside(&ranks::usual()),
            Self::File(file) => beside(file),
            Self::Folder(folder) | Self::Sums(folder) => {
                folder.join(format!("{}.gmon.out", name_of(program)))
            }
        }
    }
}
