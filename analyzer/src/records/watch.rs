//! Progress for callers while data files are read.

use std::path::Path;

use crate::progress::ProgressLine;

/// Contents of one data file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileSummary {
    /// The version that the header of a GNU file states.
    pub version: Option<u32>,
    /// Histogram records; of a file of BSD the one histogram, if it has bins.
    pub histograms: u64,
    /// Arc records.
    pub arcs: u64,
    /// Basic-block records.
    pub blocks: u64,
}

/// Follows the reading of data files. An implementation may ignore any event.
pub trait Watch {
    /// A file was read; calls come in the order of the files.
    fn file(&mut self, path: &Path, summary: &FileSummary) {
        _ = (path, summary);
    }

    /// A file, the first of all, counts executions of basic blocks.
    fn blocks(&mut self) {}

    /// Called when `read` files of all were read. It may start over.
    fn progress(&mut self, read: usize, all: usize) {
        _ = (read, all);
    }
}

/// Ignores everything.
impl Watch for () {}

/// Shows how many files are read.
impl Watch for ProgressLine {
    fn progress(&mut self, read: usize, all: usize) {
        self.update(read, all);
    }
}
