//! Decides what is read of runs: full profiles, which hold the call stacks, or their data files alone.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use gmon_analyzer::records;
use gmon_format::live::Header;
use gmon_format::names::FULL;

use crate::text::{joined, short};

/// Advice on runs that ended before their first sample.
pub(crate) const UNSAMPLED: &str =
    "no sample was taken; let the program do more, or sample it more often (gmon run --rate 10000)";

/// Files to read of runs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Sources {
    /// Full profiles of all that was sampled.
    Full {
        full: Vec<PathBuf>,
        /// The data files of processes that wrote no full profile, because they were not sampled.
        counts: Vec<PathBuf>,
    },
    /// Data files alone.
    Counts(NoStacks),
}

/// Why there are no call stacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoStacks {
    /// In words.
    pub(crate) why: String,
    /// There are some, which nothing is read of.
    pub(super) is_surprise: bool,
    /// The full profile of an earlier run that lies beside the data.
    pub(super) earlier: Option<PathBuf>,
}

impl Sources {
    /// Finds the files to read of the runs that wrote data files. With samples that have no stacks, the times of the others
    /// would not be all; so either each sample has stacks or none.
    pub(crate) fn of(data: &[PathBuf]) -> Self {
        let (mut full, mut counts, mut reasons) = (Vec::new(), Vec::new(), Vec::new());
        for file in data {
            match full_profile(file) {
                Ok(path) => full.push(path),
                Err(why) => {
                    counts.push(file.clone());
                    reasons.push(why);
                }
            }
        }
        let sampled = match full.is_empty() {
            true => 0,
            false => counts.iter().position(|file| is_sampled(file)).unwrap_or(counts.len()),
        };
        match reasons.into_iter().nth(sampled) {
            Some(why) if full.is_empty() => Self::Counts(why),
            Some(none) => Self::Counts(NoStacks { is_surprise: true, ..none }),
            None => Self::Full { full, counts },
        }
    }
}

/// The full profile of the run that wrote a data file.
fn full_profile(data: &Path) -> Result<PathBuf, NoStacks> {
    if is_full(data) {
        return Ok(data.to_owned());
    }
    let full = full_beside(data);
    let why = format!("{} has no call stacks", short(data).display());
    if !full.exists() {
        return Err(NoStacks { why, is_surprise: false, earlier: None });
    }
    if records::is_of_same_run(data, &full) && is_full(&full) {
        return Ok(full);
    }
    let why = format!("{why}, and {} is of an earlier run", short(&full).display());
    Err(NoStacks { why, is_surprise: false, earlier: Some(full) })
}

/// The full profile of the run that wrote a data file, if there is one.
pub(crate) fn full_of(data: &Path) -> Option<PathBuf> {
    full_profile(data).ok()
}

/// The place of the full profile of a data file.
pub(crate) fn full_beside(data: &Path) -> PathBuf {
    joined(data, FULL).into()
}

/// Tells if a data file, if it can be read, has a sample of the program's code.
pub(super) fn is_sampled(file: &Path) -> bool {
    let records = records::load_raw(&[file], None, &mut ());
    records.map_or(true, |(records, _)| records.has_samples())
}

/// Tells if a file is a full profile, or a live one.
pub(super) fn is_full(path: &Path) -> bool {
    // A pipe could be read only once.
    let mut start = Vec::new();
    let file = path.is_file().then(|| File::open(path)?.take(64).read_to_end(&mut start));
    file.is_some_and(|read| read.is_ok()) && Header::begins(&start)
}
