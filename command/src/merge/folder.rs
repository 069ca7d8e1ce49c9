//! The profiles in a folder and in those below it, such as `gmon export --format jsonl -o DIR/` makes of a fleet.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use gmon_analyzer::{ByName, Model, records};

use crate::guided;

/// The files that the arguments name, and those in folders that they name, in the order of their paths, but for the
/// one that is written.
///
/// # Errors
///
/// A folder cannot be read, or has no profile.
pub(super) fn expanded(named: &[&PathBuf], output: &Path) -> Result<Vec<PathBuf>> {
    let output = fs::canonicalize(output).ok();
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push((*path).clone());
            continue;
        }
        let mut found = Vec::new();
        collect(path, &mut found)?;
        // A sum that was written here before is no part of the next one.
        found.retain(|file| output.is_none() || fs::canonicalize(file).ok() != output);
        if found.is_empty() {
            bail!(
                "{}: neither this folder nor those below it have profiles; gmon export --format jsonl -o DIR/ puts them there",
                path.display()
            );
        }
        found.sort_unstable();
        files.append(&mut found);
    }
    Ok(files)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let shown = || folder.display().to_string();
    for entry in fs::read_dir(folder).with_context(shown)? {
        let entry = entry.with_context(shown)?;
        // Databases and editors keep their own files under such names.
        let is_hidden = entry.file_name().to_string_lossy().starts_with(['.', '_']);
        let kind = entry.file_type().with_context(shown)?;
        if is_hidden {
            continue;
        }
        // A link to a folder may lead to one above.
        if kind.is_dir() {
            collect(&entry.path(), found)?;
        } else if is_profile(&entry.path()) {
            found.push(entry.path());
        }
    }
    Ok(())
}

/// Returns `true` if a file looks like a profile, by its first bytes.
fn is_profile(path: &Path) -> bool {
    let mut magic = [0; 4];
    let is_data = path.is_file()
        && File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok()
        && &magic == b"gmon";
    is_data
        || records::is_full(path)
        || ByName::is_rows(path)
        || Model::is_in(path)
        || guided::is_text(path)
}
