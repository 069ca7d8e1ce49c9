//! The full profiles of data files: what holds the call stacks of the same runs.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use gmon_format::live::{Header, Live};
use gmon_format::names::FULL;

use crate::run;

/// Why there are no call stacks, in words.
#[derive(Debug)]
pub(super) struct NoStacks(pub(super) String);

/// Full profiles of the runs that wrote data files: the files themselves, or those beside them.
pub(super) fn of(data: &[PathBuf]) -> Result<Vec<PathBuf>, NoStacks> {
    data.iter().map(|file| of_file(file)).collect()
}

/// Full profiles of the runs that wrote data files, if there is one for each.
pub(crate) fn full_profiles(data: &[PathBuf]) -> Option<Vec<PathBuf>> {
    of(data).ok()
}

fn of_file(data: &Path) -> Result<PathBuf, NoStacks> {
    if is_full(data) {
        return Ok(data.to_owned());
    }
    let full = beside(data);
    let written = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let shown = data.display();
    match (written(data), written(&full)) {
        // A run writes the full profile last.
        (Some(before), Some(after)) if before <= after && is_full(&full) => Ok(full),
        (_, Some(_)) => Err(NoStacks(format!(
            "{shown} has no call stacks, and {} is of an earlier run",
            full.display()
        ))),
        (_, None) => Err(NoStacks(format!("{shown} has no call stacks"))),
    }
}

/// Where the full profile of a data file lies.
pub(crate) fn beside(data: &Path) -> PathBuf {
    let mut name = OsString::from(data);
    name.push(FULL);
    name.into()
}

/// Whether a file is a full profile, or a live one.
fn is_full(path: &Path) -> bool {
    // A pipe could be read only once.
    let mut start = Vec::new();
    let file = path.is_file().then(|| File::open(path)?.take(64).read_to_end(&mut start));
    file.is_some_and(|read| read.is_ok()) && Header::begins(&start)
}

/// The program that a full profile is of, if it is still there.
pub(super) fn program_of(path: &Path) -> Option<PathBuf> {
    let bytes = is_full(path).then(|| fs::read(path).ok()).flatten()?;
    let live = Live::new(&bytes).ok()?;
    let start = live.header().placement.text.start;
    let module = live.modules().find(|module| module.contains(start))?;
    let program = PathBuf::from(OsStr::from_bytes(module.path));
    run::is_program(&program).then_some(program)
}
