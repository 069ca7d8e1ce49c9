//! Many files are read on all processors, with the result of reading one after the other.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use gmon_analyzer::records::{FileSummary, Loader, Watch};
use gmon_analyzer::{Image, Records};

use super::mixing::{at, data, exe};
use crate::bytes;
use crate::comparison::Comparison;
use crate::data::Histogram;
use crate::elf;
use crate::random::Random;

/// What the reader reported.
#[derive(Debug, Default, PartialEq)]
struct Log {
    files: Vec<(PathBuf, FileSummary)>,
    blocks: usize,
}

impl Watch for Log {
    fn file(&mut self, path: &Path, summary: &FileSummary) {
        self.files.push((path.to_owned(), *summary));
    }

    fn blocks(&mut self) {
        self.blocks += 1;
    }
}

type Loaded = (Result<Records, String>, Log);

fn load(comparison: &Comparison, files: usize, threads: usize) -> Loaded {
    let image = Image::open(comparison.path("exe")).unwrap();
    let paths: Vec<_> = (0..files).map(|number| comparison.path(&number.to_string())).collect();
    let mut log = Log::default();
    let loader = Loader::for_program(&image).threads(NonZero::new(threads).unwrap());
    (loader.load(&paths, &mut log).map_err(|error| error.to_string()), log)
}

/// Compares every sum but that of equal arcs, which depends on how the files were read.
fn assert_equal(parallel: Loaded, sequential: Loaded) {
    assert_eq!(parallel.1, sequential.1);
    match (parallel.0, sequential.0) {
        (Ok(parallel), Ok(sequential)) => {
            assert_eq!(parallel.histograms().list(), sequential.histograms().list());
            assert_eq!(parallel.histograms().sampling(), sequential.histograms().sampling());
            assert_eq!(parallel.arcs(), sequential.arcs());
            assert_eq!(parallel.blocks(), sequential.blocks());
            assert_eq!(parallel.has_arcs(), sequential.has_arcs());
            assert_eq!(parallel.has_blocks(), sequential.has_blocks());
            assert_eq!(parallel.foreign_files(), sequential.foreign_files());
        }
        (parallel, sequential) => assert_eq!(parallel.err(), sequential.err()),
    }
}

/// Files of more than a megabyte in all, which is when it is worth a second thread.
fn files(random: &mut Random, count: usize) -> Vec<Vec<u8>> {
    (0..count)
        .map(|_| {
            let mut data = data(random, 100);
            let padding = Histogram::new(at(100), at(200), vec![1; 3200]);
            if random.once_in(3) {
                return bytes::bsd(&data, elf::LITTLE_64, false);
            }
            data.histograms.extend([padding.clone(), padding.clone(), padding]);
            let mut file = data.bytes(elf::LITTLE_64);
            if random.once_in(5) {
                file.extend(bytes::blocks(&[(at(random.below(6)), 3), (at(1), 1)], elf::LITTLE_64));
            }
            if random.once_in(20) {
                file = data_of_another_program().bytes(elf::LITTLE_64);
            }
            file
        })
        .collect()
}

fn data_of_another_program() -> crate::data::Data {
    crate::data::Data { histograms: Vec::new(), arcs: vec![(0x9000_0000, 0x9000_0000, 1)] }
}

#[test]
fn reading_in_parallel_changes_nothing() {
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let files = files(&mut random, 120);
        assert!(files.iter().map(Vec::len).sum::<usize>() > 1 << 20);
        let comparison = Comparison::new(&exe(elf::LITTLE_64, 62), &files);
        let sequential = || load(&comparison, files.len(), 1);
        assert!(sequential().0.is_ok());
        for threads in [2, 3, 16, 1000] {
            assert_equal(load(&comparison, files.len(), threads), sequential());
        }
    }
}

#[test]
fn the_first_error_in_the_files_is_reported() {
    let mut random = Random::new(9);
    let mut files = files(&mut random, 120);
    let mut other_rate = data(&mut random, 1000).bytes(elf::LITTLE_64);
    other_rate.extend([1, 2, 3]);
    files[70] = other_rate;
    files[110] = b"nothing of the kind, but many bytes".to_vec();
    let comparison = Comparison::new(&exe(elf::LITTLE_64, 62), &files);
    let sequential = load(&comparison, files.len(), 1);
    assert!(sequential.0.as_ref().unwrap_err().contains("70: profiling rate"));
    assert_eq!(sequential.1.files.len(), 70);
    for threads in [2, 5] {
        assert_equal(load(&comparison, files.len(), threads), load(&comparison, files.len(), 1));
    }
}
