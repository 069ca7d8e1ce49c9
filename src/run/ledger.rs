//! The ledger of a run: the file in which every profiled process of it tells what it did, and the folder
//! of that file, which takes the profiles that have no other place.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process;

use anyhow::{Context, Result};
use gmon_format::ledger::VARIABLE;
use nix::unistd::geteuid;
use tempfile::TempDir;

use super::processes::Process;
use crate::report::full_beside;
use crate::temporary;

/// What the file is called in its folder.
const NAME: &str = "processes";

/// The ledger of the processes of one run.
pub(super) struct Ledger {
    path: PathBuf,
    /// Removed with all that is in it in the end, unless somebody needs it.
    folder: Option<TempDir>,
}

impl Ledger {
    /// Makes one in a folder for temporary files.
    pub(super) fn temporary() -> Result<Self> {
        let folder = temporary::folder()?;
        let ledger = Self { path: folder.path().join(NAME), folder: Some(folder) };
        File::create_new(&ledger.path).with_context(|| ledger.path.display().to_string())?;
        if geteuid().is_root() {
            ledger.share()?;
        }
        Ok(ledger)
    }

    /// Makes one in the user's folder, in place of one that is there.
    pub(super) fn in_folder(folder: &Path) -> Result<Self> {
        let path = folder.join(NAME);
        for process in of_folder(folder).unwrap_or_default() {
            // What the run before left.
            let file = process.file.filter(|file| file.parent() == Some(folder));
            if let Some(file) = file {
                _ = fs::remove_file(full_beside(&file));
                _ = fs::remove_file(file);
            }
        }
        File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { path, folder: None })
    }

    /// Lets processes that give up the rights of root write here. Nobody else can know the folder's name.
    fn share(&self) -> Result<()> {
        let set = |path: &Path, mode| {
            fs::set_permissions(path, Permissions::from_mode(mode))
                .with_context(|| path.display().to_string())
        };
        set(&self.path, 0o622)?;
        set(self.folder(), 0o1733)
    }

    /// The folder.
    pub(super) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }

    /// Whether a file lies in a folder that is going to be removed.
    pub(super) fn removes(&self, file: &Path) -> bool {
        self.folder.as_ref().is_some_and(|folder| file.starts_with(folder.path()))
    }

    /// The variable of the environment by which processes find it.
    pub(super) fn variable(&self) -> (&'static OsStr, OsString) {
        let mut value = OsString::from(format!("{}:", process::id()));
        value.push(&self.path);
        (VARIABLE.as_ref(), value)
    }

    /// The processes that have reported until now; `first` is the process that we started.
    pub(super) fn read(&self, first: u32) -> Result<Vec<Process>> {
        let lines = fs::read(&self.path).with_context(|| self.path.display().to_string())?;
        Ok(Process::read(&lines, first))
    }

    /// Keeps the folder: there is something in it that has no other place.
    pub(super) fn keep(&mut self) -> PathBuf {
        let folder = self.folder().to_owned();
        self.folder.take().map(TempDir::keep);
        folder
    }
}

/// The processes of a run whose data were put into a folder; `None` if it is none of these.
pub(crate) fn of_folder(folder: &Path) -> Option<Vec<Process>> {
    let lines = fs::read(folder.join(NAME)).ok()?;
    Some(Process::read(&lines, 0))
}
