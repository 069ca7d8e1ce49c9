//! The full profiles of data files: what holds the call stacks of the same runs.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use gmon_analyzer::records;
use gmon_format::live::{Header, Live};
use gmon_format::names::FULL;

use crate::run;

/// What is to be done about runs that ended before their first sample.
pub(super) const UNSAMPLED: &str =
    "no sample was taken; let the program do more, or sample it more often (gmon run --rate 10000)";

/// Why there are no call stacks, in words.
#[derive(Debug)]
pub(crate) struct NoStacks(pub(super) String);

/// What to read of runs in place of their data files.
pub(super) struct Sources {
    /// Full profiles.
    pub(super) full: Vec<PathBuf>,
    /// The data files of processes that wrote no full profile, because they were not sampled.
    pub(super) counts: Vec<PathBuf>,
}

/// Full profiles of the runs that wrote data files: the files themselves, or those beside them.
pub(super) fn of(data: &[PathBuf]) -> Result<Sources, NoStacks> {
    let (mut full, mut counts, mut reasons) = (Vec::new(), Vec::new(), Vec::new());
    for file in data {
        match of_file(file) {
            Ok(path) => full.push(path),
            Err(NoStacks(why)) => {
                counts.push(file.clone());
                reasons.push(why);
            }
        }
    }
    // With samples that have no stacks, the times of the others would not be all.
    let without = match full.is_empty() {
        true => 0,
        false => counts.iter().position(is_sampled).unwrap_or(counts.len()),
    };
    match reasons.into_iter().nth(without) {
        Some(why) => Err(NoStacks(why)),
        None => Ok(Sources { full, counts }),
    }
}

/// Whether a data file, if it can be read, has a sample of the program's code.
pub(super) fn is_sampled(file: &PathBuf) -> bool {
    let records = records::load_raw(&[file], None, &mut ());
    records.map_or(true, |(records, _)| records.has_samples())
}

/// Full profiles of the runs that wrote data files, if there is one for each.
pub(crate) fn full_profiles(data: &[PathBuf]) -> Option<Vec<PathBuf>> {
    of(data).ok().filter(|sources| sources.counts.is_empty()).map(|sources| sources.full)
}

/// The full profile of the run that wrote a data file.
pub(crate) fn of_file(data: &Path) -> Result<PathBuf, NoStacks> {
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
