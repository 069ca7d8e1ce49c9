//! Destinations of the profiles of a run.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use gmon_format::names;
use gmon_format::options::Key;

use super::folder::is_shared;
use super::ledger::Ledger;
use super::ranks;
use super::settings::{self, OptionList, joined};
use crate::processes::{Process, part_of_name};

/// The destination of the profiles of a run.
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
            Self::Folder(_) | Self::File(_) | Self::Sums(_) => ledger.shared(),
        };
        if folder.as_os_str().as_bytes().contains(&b',') {
            bail!(
                "{}: the path of temporary files cannot have a comma; set TMPDIR to another folder",
                folder.display()
            );
        }
        let mut out = OsString::from("out=");
        out.push(settings::pattern_of(folder));
        out.push("/%e.%p");
        options.push(out);
        Ok(())
    }

    /// Returns `true` if a file is where the runtime puts the first process's, because the user
    /// said nothing.
    pub(super) fn is_usual(&self, file: &Path) -> bool {
        *self == Self::Usual && !settings::names_files() && is_here(file, &ranks::usual())
    }

    /// True for that file, and for the one that a process of these puts beside it because the name was taken.
    pub(super) fn is_own(&self, file: &Path, mut processes: impl Iterator<Item = u32>) -> bool {
        let usual = ranks::usual();
        let is_numbered = |id: u32| is_here(file, &own_name(usual.as_os_str(), id));
        self.is_usual(file) || *self == Self::Usual && processes.any(is_numbered)
    }

    /// The one file, if it is none in which something stays, such as `/dev/null`. Nothing lies beside that.
    pub(super) fn device(&self) -> Option<&Path> {
        let Self::File(file) = self else { return None };
        file.metadata().is_ok_and(|it| !it.is_file() && !it.is_dir()).then_some(file)
    }

    /// The folder beside which profiles lie in the end.
    pub(super) fn place(&self) -> &Path {
        let folder = match self {
            Self::Usual => None,
            Self::File(_) if self.device().is_some() => None,
            Self::File(file) => file.parent(),
            Self::Folder(folder) | Self::Sums(folder) => Some(folder.as_path()),
        };
        folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// The ledger of a run whose profiles go there.
    pub(super) fn ledger(&self) -> Result<Ledger> {
        if let Self::Folder(folder) = self {
            let cannot = || format!("cannot make {}", folder.display());
            std::fs::create_dir_all(folder).with_context(cannot)?;
        }
        Ledger::make(self.place())
    }

    /// The file that a process would have written, had it not been killed.
    pub(super) fn file_of(&self, process: &Process, is_first: bool, ledger: &Ledger) -> PathBuf {
        let (program, id) = (&process.program, process.id);
        let of_process = |base: &OsStr| own_name(base, id);
        let named = || match settings::named(Key::Out, program, id) {
            Some(named) if named.names_process || is_first => Some(named.path),
            Some(named) => Some(of_process(named.path.as_os_str())),
            None => env::var_os(names::PREFIX_VARIABLE).map(|base| of_process(&base)),
        };
        let own = || ledger.own().join(own_name(&part_of_name(program), id));
        match self {
            // Processes of other users do not choose what we write.
            Self::Usual if is_shared() && !is_first => own(),
            Self::Usual => named().unwrap_or_else(|| if is_first { ranks::usual() } else { own() }),
            Self::File(_) | Self::Folder(_) | Self::Sums(_) => own(),
        }
    }

    /// The file for the sum of what a program counted in several processes. The `main` program is the one
    /// that was to be run, or the only one that was profiled. A number above 1 tells programs of one name apart.
    pub(super) fn sum(&self, program: &Path, is_main: bool, number: u32) -> PathBuf {
        let end = if number > 1 { format!(".{number}") } else { String::new() };
        let beside = |path: &Path| {
            let mut path = path.as_os_str().to_owned();
            if !is_main {
                path.push(".");
                path.push(part_of_name(program));
            }
            path.push(&end);
            PathBuf::from(path)
        };
        match self {
            Self::Usual => beside(&ranks::usual()),
            Self::File(file) => beside(file),
            Self::Folder(folder) | Self::Sums(folder) => {
                let mut name = part_of_name(program);
                name.push(end + ".gmon.out");
                folder.join(name)
            }
        }
    }
}

/// True for the file of a name in the current folder.
fn is_here(file: &Path, name: &Path) -> bool {
    std::path::absolute(name).is_ok_and(|name| name == file)
        || env::current_dir().is_ok_and(|here| here.join(name) == file)
}

/// The name with the number of a process behind it.
pub(super) fn own_name(base: &OsStr, process: u32) -> PathBuf {
    joined(names::own(base.as_bytes(), process.to_string().as_bytes()))
}
