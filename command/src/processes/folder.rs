//! The folder of a run: of one with a list of its processes, or of one that was killed.

use std::fs;
use std::path::{Path, PathBuf};

use super::notebook::notebooks;
use super::process::Process;

/// Name of the list of processes in a folder that is kept.
pub(crate) const LIST: &str = "processes";

/// The processes of a run whose data were put into a folder, or are in the folder of a run that was killed; `None` if it
/// is none of these.
pub(crate) fn of_folder(folder: &Path) -> Option<Vec<Process>> {
    if let Ok(lines) = fs::read(folder.join(LIST)) {
        return Some(Process::read(&lines, 0));
    }
    let notebooks: Vec<_> = inside(folder).flat_map(|it| notebooks(&it)).flatten().collect();
    (!notebooks.is_empty()).then(|| Process::of_notebooks(&notebooks, 0))
}

/// The folders in a folder, in one of which the processes of a run wrote.
fn inside(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir() && !path.is_symlink())
}
