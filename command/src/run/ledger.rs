//! The ledger of a run: the notebooks in which its processes tell what they did, and the profiles that they wrote
//! beside them.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::process;

use anyhow::{Context, Result, anyhow};
use gmon_analyzer::records;
use gmon_analyzer::sum::{SHARED, create_file, replace_file};
use gmon_format::ledger::VARIABLE;
use nix::unistd::geteuid;

use super::destination::own_name;
use super::folder::{RunFolder, is_shared};
use crate::merge::full_sum;
use crate::open::full_beside;
use crate::processes::{LIST, Process, is_only_here, notebooks, of_own_run, part_of_name};
use crate::say;
use crate::text::{harmless, joined};

/// The ledger of the processes of one run.
pub(super) struct Ledger {
    folder: RunFolder,
}

impl Ledger {
    /// Makes one in a place, or among temporary files if it cannot be there.
    pub(super) fn make(place: &Path) -> Result<Self> {
        Ok(Self { folder: RunFolder::make(place)? })
    }

    /// The folder that processes write their profiles into.
    pub(super) fn shared(&self) -> &Path {
        self.folder.secret()
    }

    /// A folder that only we write into.
    pub(super) fn own(&self) -> &Path {
        self.folder.own()
    }

    /// True for a file that we have taken, in a folder that is going to be removed.
    pub(super) fn removes(&self, file: &Path) -> bool {
        !self.folder.is_kept() && name_in(self.own(), file).is_some()
    }

    /// The variable of the environment by which processes find it.
    pub(super) fn variable(&self) -> (&'static OsStr, OsString) {
        (VARIABLE.as_ref(), joined(format!("{}:", process::id()), self.shared()))
    }

    /// The processes that have reported until now; `first` is the process that we started.
    pub(super) fn read(&self, first: u32) -> Result<Vec<Process>> {
        let notebooks = notebooks(self.shared());
        let notebooks = notebooks.with_context(|| {
            let folder = self.own().display();
            format!("the run's profiles were in {folder}; if the program has removed it, name another with -o")
        })?;
        Ok(Process::of_notebooks(&notebooks, first))
    }

    /// Takes the files of processes out of the folder that they write into, so that nobody can put something else in
    /// their place, and forgets what is no profile of the run's.
    pub(super) fn take(&self, processes: &mut [Process]) {
        for process in processes {
            let Some(file) = process.file.take() else { continue };
            let name = name_in(self.shared(), &file);
            let is_taken = match name {
                // The user has named another place. Other users have no say in what we read.
                None => !is_shared() || is_believed(&file, process.owner),
                Some(name) => {
                    let own = self.own().join(name);
                    let is_taken = seize(&file, &own);
                    process.file = Some(own).filter(|_| is_taken);
                    is_taken
                }
            };
            if !is_taken {
                let why = match name.is_some() || is_of(process.owner) {
                    true => "which is no file of its own; it is left out",
                    false => {
                        "where root believes no other user; it is left out unless -o names a file"
                    }
                };
                say(&anyhow!(
                    "process {} of {} says that its profile is {}, {why}",
                    process.id,
                    harmless(&process.name()),
                    harmless(&file.display().to_string())
                ));
            } else if process.file.is_none() {
                process.file = Some(file);
            }
        }
    }

    /// Moves the files of processes into the user's folder, in place of those of the run before, with a list.
    pub(super) fn hand_over(&self, folder: &Path, processes: &mut [Process]) -> Result<()> {
        let folder = std::path::absolute(folder)?;
        for process in of_own_run(&folder) {
            let file = process.file.filter(|file| file.parent() == Some(&folder));
            if let Some(file) = file {
                _ = fs::remove_file(full_beside(&file));
                _ = fs::remove_file(file);
            }
        }
        for process in processes.iter_mut() {
            let Some(file) = process.file.as_deref().filter(|file| self.removes(file)) else {
                continue;
            };
            if is_shared() && !is_profile(file) {
                say(&anyhow!("what process {} wrote is no profile; it is left out", process.id));
                process.file = None;
                continue;
            }
            let to = place_in_folder(&folder, process, file);
            let cannot_make = || format!("cannot make {}", to.display());
            move_file(file, &to).with_context(cannot_make)?;
            if full_beside(file).exists() {
                move_file(&full_beside(file), &full_beside(&to)).with_context(cannot_make)?;
            }
            process.file = Some(to);
        }
        let list = folder.join(LIST);
        replace_file(&list, |out| processes.iter().try_for_each(|it| out.write_all(&it.lines())))
            .with_context(|| format!("cannot write {}", list.display()))
    }

    /// Keeps the folder: there is something in it that has no other place.
    pub(super) fn keep(&mut self) -> PathBuf {
        self.folder.keep()
    }
}

/// The name of a file that lies in a folder itself: not below a folder in it, and not elsewhere by way of `..`.
fn name_in<'f>(folder: &Path, file: &'f Path) -> Option<&'f OsStr> {
    let mut parts = file.strip_prefix(folder).ok()?.components();
    match (parts.next(), parts.next()) {
        (Some(Component::Normal(name)), None) => Some(name),
        _ => None,
    }
}

/// True if a file outside of the ledger may be read where processes of other users can tell of it: only our own
/// processes can, and only of files.
fn is_believed(file: &Path, owner: u32) -> bool {
    let is_file = fs::symlink_metadata(file).map(|it| it.is_file());
    // What is not there is somebody else's to tell.
    is_of(owner) && is_file.unwrap_or(true)
}

/// Returns `true` if a user is who we are.
fn is_of(user: u32) -> bool {
    user == geteuid().as_raw()
}

/// Moves a data file, and the full profile beside it, to where only we write. False if something else was there.
fn seize(from: &Path, to: &Path) -> bool {
    let seize = |from: &Path, to: &Path| {
        if fs::rename(from, to).is_err() {
            return true;
        }
        let is_file = fs::symlink_metadata(to).is_ok_and(|it| is_only_here(&it));
        if !is_file {
            _ = fs::remove_file(to).or_else(|_| fs::remove_dir_all(to));
        }
        is_file
    };
    seize(&full_beside(from), &full_beside(to)) & seize(from, to)
}

/// The place of a process's file in the user's folder: its own name there, `PROGRAM.PID` with perhaps more. A process of another user
/// could choose any, so where there are such, nothing is replaced.
fn place_in_folder(folder: &Path, process: &Process, file: &Path) -> PathBuf {
    let own = file.file_name().unwrap_or_default();
    if !is_shared() {
        return folder.join(own);
    }
    let usual = own_name(&part_of_name(&process.program), process.id).into_os_string();
    let is_more = |it: &[u8]| it.is_empty() || is_numbered(it, b".") || is_numbered(it, b".exec");
    let is_usual = own.as_bytes().strip_prefix(usual.as_bytes()).is_some_and(is_more);
    let name = if is_usual { own } else { &usual };
    let numbered = |number: u32| match number {
        1 => folder.join(name),
        _ => folder.join([name, format!(".{number}").as_ref()].join("".as_ref())),
    };
    let is_free = |place: &Path| fs::symlink_metadata(place).is_err();
    let mut places = (1..).map(numbered);
    places.find(|it| is_free(it) && is_free(&full_beside(it))).unwrap_or_else(|| folder.join(name))
}

/// Returns `true` if a name consists of a word and a number.
fn is_numbered(name: &[u8], word: &[u8]) -> bool {
    let number = name.strip_prefix(word).unwrap_or_default();
    !number.is_empty() && number.iter().all(u8::is_ascii_digit)
}

/// Returns `true` if a file has counts in it, and the one beside it a full profile.
fn is_profile(file: &Path) -> bool {
    let data = [file.to_owned()];
    let full = full_beside(file);
    records::load_raw(&data, None, &mut ()).is_ok()
        && (!full.exists() || full_sum(&[full], &[], &mut ()).is_ok())
}

/// Moves a file of ours to another place, also on another file system. What root moves is root's then, since who wrote it could change
/// it later, and replaces nothing.
fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    if !is_shared() && fs::rename(from, to).is_ok() {
        return Ok(());
    }
    let mut file = File::open(from)?;
    let mode = file.metadata()?.mode() & SHARED;
    create_file(to, mode, |out| io::copy(&mut file, out).map(drop))?;
    fs::remove_file(from)
}
