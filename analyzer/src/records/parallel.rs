//! Reads many data files on all processors, with the result of reading one after the other.
//!
//! Each thread reads a stretch of the files and sums it; the sums are then added up in order, so that
//! whatever appeared first in the files still does. If anything is wrong, nothing is returned: only
//! reading one after the other finds what is wrong first.

use std::fs;
use std::num::NonZero;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::load::Loader;
use super::total::Records;
use super::watch::{FileSummary, Watch};
use crate::parallel::{map, processors};

/// Less than this many bytes are read sooner than a thread is started for them.
const LEAST_BYTES: u64 = 1 << 20;

/// The sum over a stretch of the files, and what each of them held.
type Stretch = (Records, Vec<FileSummary>);

/// Reads the files if they are many; none if they are not, or if anything is wrong with them.
pub(super) fn load(
    loader: &Loader,
    paths: &[&Path],
    threads: Option<NonZero<usize>>,
    watch: &mut impl Watch,
) -> Option<Records> {
    if paths.len() < 2 {
        return None;
    }
    let sizes = sizes(paths)?;
    if sizes.iter().copied().fold(0, u64::saturating_add) < LEAST_BYTES {
        return None;
    }
    let threads = threads.map_or_else(processors, NonZero::get);
    if threads < 2 {
        return None;
    }
    let stretches = split(&sizes, threads);
    let (read, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let read_stretch =
        |stretch: &Range<usize>| read_stretch(loader, &paths[stretch.clone()], &read, &failed);
    let progress = || watch.progress(read.load(Ordering::Relaxed), paths.len());
    let stretches: Option<Vec<_>> = map(&stretches, read_stretch, progress).into_iter().collect();
    let (sums, summaries): (Vec<_>, Vec<_>) = stretches?.into_iter().unzip();
    let mut sums = sums.into_iter();
    let mut records = sums.next()?;
    for sum in sums {
        records.absorb(sum, loader).ok()?;
    }
    if !records.blocks().is_empty() {
        watch.blocks();
    }
    for (path, summary) in paths.iter().zip(summaries.concat()) {
        watch.file(path, &summary);
    }
    Some(records)
}

/// The size of each file, if they can all be read twice.
fn sizes(paths: &[&Path]) -> Option<Vec<u64>> {
    let size = |path: &&Path| {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        (*path != Path::new("-")).then_some(metadata.len())
    };
    paths.iter().map(size).collect()
}

/// Splits the files into stretches of about the same number of bytes.
fn split(sizes: &[u64], stretches: usize) -> Vec<Range<usize>> {
    // An empty file costs time too.
    let cost = |size: &u64| size.saturating_add(4096);
    let all: u64 = sizes.iter().map(cost).fold(0, u64::saturating_add);
    let share = all.div_ceil(stretches as u64);
    let (mut result, mut start, mut sum) = (Vec::new(), 0, 0_u64);
    for (index, size) in sizes.iter().enumerate() {
        sum = sum.saturating_add(cost(size));
        if sum >= share || index + 1 == sizes.len() {
            result.push(start..index + 1);
            (start, sum) = (index + 1, 0);
        }
    }
    result
}

fn read_stretch(
    loader: &Loader,
    paths: &[&Path],
    read: &AtomicUsize,
    failed: &AtomicBool,
) -> Option<Stretch> {
    let (mut records, mut bytes) = (Records::default(), Vec::new());
    let mut summaries = Vec::with_capacity(paths.len());
    for path in paths {
        if failed.load(Ordering::Relaxed) {
            return None;
        }
        let Ok(summary) = loader.add(path, &mut bytes, &mut records) else {
            failed.store(true, Ordering::Relaxed);
            return None;
        };
        summaries.push(summary);
        read.fetch_add(1, Ordering::Relaxed);
    }
    Some((records, summaries))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_hold_every_file_once_and_about_as_much() {
        for (sizes, stretches) in [
            (vec![5; 10], 3),
            (vec![1 << 20, 0, 0, 0, 1 << 20], 2),
            (vec![u64::MAX, u64::MAX, 7], 4),
            (vec![1], 8),
        ] {
            let split = split(&sizes, stretches);
            assert!(split.len() <= stretches && split.iter().all(|stretch| !stretch.is_empty()));
            let files: Vec<_> = split.iter().cloned().flatten().collect();
            assert_eq!(files, (0..sizes.len()).collect::<Vec<_>>());
        }
        assert_eq!(split(&[5; 10], 2), [0..5, 5..10]);
    }
}
