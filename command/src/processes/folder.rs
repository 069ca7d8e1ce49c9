//! The folder of a run: of one with a list of its processes, or of one that was killed.

use std::fs;
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;

use super::notebook::{self, notebooks};
use super::process::Process;

/// Name of the list of processes in a folder that is kept.
pub(crate) const LIST: &str = "processes";

/// The processes of a run whose data were put into a folder, or are in the folder of a run that was killed; `None` if it
/// is none of these.
pub(crate) fn of_folder(folder: &Path) -> Option<Vec<Process>> {
    let list = folder.join(LIST);
    if fs::metadata(&list).is_ok_and(|it| it.is_file()) {
        return fs::read(list).ok().map(|lines| Process::read(&lines, 0));
    }
    let notebooks: Vec<_> = inside(folder).flat_map(|it| notebooks(&it)).flatten().collect();
    (!notebooks.is_empty()).then(|| Process::of_notebooks(&notebooks, 0))
}

/// The processes of an earlier run of ours whose data were put into a folder. What others say counts for nothing: their files are
/// going to be removed.
pub(crate) fn of_own_run(folder: &Path) -> Vec<Process> {
    let list = notebook::read(&folder.join(LIST), u64::MAX);
    let own = list.filter(|list| list.owner == geteuid().as_raw());
    own.map_or_else(Vec::new, |list| Process::read(&list.text, 0))
}

/// The folders in a folder, in one of which the processes of a run wrote.
fn inside(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir() && !path.is_symlink())
}
