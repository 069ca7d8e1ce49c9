//! The live file that a process left behind, because it was killed or could not write its profile.
//!
//! What the program would have done is done in its place: the counts become the data file that it would
//! have written, and the live file, which is no longer needed, is removed.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};

use gmon_format::options::Key;

use super::destination::own_name;
use super::folder::is_shared;
use super::settings;
use crate::{recover, say};

/// The live file that a process of a user left.
pub(super) fn left_by(program: &Path, process_id: u32, owner: u32) -> Option<PathBuf> {
    let path = settings::named(Key::Live, program, process_id)?.path;
    let own = own_name(path.as_os_str(), process_id);
    let numbered = |n: u32| if n == 1 { own.clone() } else { own_name(own.as_os_str(), n) };
    // The runtime takes the first name that is free; what is there may be of an earlier process of this
    // number.
    let taken = (1..).map(numbered).take_while(|path| path.symlink_metadata().is_ok());
    // Only the owner of a process writes its counts.
    let is_owners = |path: &PathBuf| {
        fs::symlink_metadata(path).is_ok_and(|it| it.is_file() && it.uid() == owner)
    };
    let is_its = |path: &PathBuf| {
        (!is_shared() || is_owners(path)) && recover::process_of(path) == Some(process_id.into())
    };
    [path.clone()].into_iter().chain(taken).filter(is_its).last()
}

/// Makes `data_file` of the live file, and tells of it; `signal` is what the process was killed by, if that
/// is known.
///
/// # Errors
///
/// It cannot be made; the live file stays.
pub(super) fn recover(live: &Path, data_file: &Path, signal: Option<&str>) -> Result<()> {
    let (from, to) = (live.display(), data_file.display());
    recover::recover(live, data_file, true)
        .with_context(|| format!("cannot make {to} of the live file {from}"))?;
    let what = match signal {
        Some(signal) => format!("was killed by {signal}"),
        None => "did not write its profile".to_owned(),
    };
    say(&anyhow!("the program {what}; gmon made {to} from the live file {from}"));
    fs::remove_file(live)
        .with_context(|| format!("cannot remove {from}, which is no longer needed"))?;
    Ok(())
}
