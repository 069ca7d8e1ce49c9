//! Reads data files and sums their records.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use gmon_format::Record;

use super::histogram::Histograms;
use crate::error::{Conflict, Error, ErrorKind};
use crate::image::Image;

/// How often one call site called one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawArc {
    /// An address in the caller.
    pub from_pc: u64,
    /// An address in the function called.
    pub self_pc: u64,
    /// The number of calls.
    pub count: u64,
}

/// The sum of all data files.
#[derive(Clone, Debug, Default)]
pub struct Records {
    histograms: Histograms,
    arcs: Vec<RawArc>,
    has_arcs: bool,
    has_blocks: bool,
    foreign_files: Vec<PathBuf>,
    /// How many arcs there were when those of equal addresses were last summed.
    summed: usize,
}

/// Reads and sums the data files at `paths`, written by the program `image`.
///
/// # Errors
/// If a file cannot be read, breaks the format, or contradicts one before it.
pub fn load(paths: &[impl AsRef<Path>], image: &Image) -> Result<Records, Error> {
    let mut records = Records::default();
    for path in paths {
        let path = path.as_ref();
        records.add_file(path, image).map_err(|kind| Error::new(path, kind))?;
    }
    Ok(records)
}

impl Records {
    /// The histograms.
    #[must_use]
    pub fn histograms(&self) -> &Histograms {
        &self.histograms
    }

    /// The arcs, in the order in which their addresses first appeared. Two may have the same
    /// addresses; then they add up.
    #[must_use]
    pub fn arcs(&self) -> &[RawArc] {
        &self.arcs
    }

    /// Whether there was any call-graph record, even one that counts no call.
    #[must_use]
    pub fn has_arcs(&self) -> bool {
        self.has_arcs
    }

    /// Whether there was any basic-block record. They are not kept: only reports by line use them.
    #[must_use]
    pub fn has_blocks(&self) -> bool {
        self.has_blocks
    }

    /// The files that have addresses, but none in the code of the program: they were most likely
    /// written by another one.
    #[must_use]
    pub fn foreign_files(&self) -> &[PathBuf] {
        &self.foreign_files
    }

    fn add_file(&mut self, path: &Path, image: &Image) -> Result<(), ErrorKind> {
        let bytes = std::fs::read(path).map_err(ErrorKind::Unreadable)?;
        let (mut has_addresses, mut belongs) = (false, false);
        let mut meet = |low: u64, high: u64| {
            has_addresses = true;
            // An empty range still has a place.
            belongs = belongs || image.has_code_in(&(low..high.max(low.saturating_add(1))));
        };
        for record in gmon_format::Records::new(&bytes, image.encoding())? {
            match record? {
                Record::Histogram(histogram) => {
                    meet(histogram.header.low_pc, histogram.header.high_pc);
                    self.histograms.add(&histogram)?;
                }
                Record::Arc(arc) => {
                    meet(arc.self_pc, arc.self_pc);
                    self.has_arcs = true;
                    self.arcs.push(RawArc {
                        from_pc: arc.from_pc,
                        self_pc: arc.self_pc,
                        count: arc.count,
                    });
                }
                Record::Blocks(_) => self.has_blocks = true,
            }
        }
        if has_addresses && !belongs {
            self.foreign_files.push(path.to_owned());
        }
        self.sum_arcs();
        Ok(())
    }

    /// Keeps memory in proportion to the different arcs, however many files repeat them.
    ///
    /// One file rarely repeats an arc, so this waits until the list has doubled.
    fn sum_arcs(&mut self) {
        if self.summed == 0 {
            self.summed = self.arcs.len();
        }
        if self.arcs.len() < 2 * self.summed.max(1024) {
            return;
        }
        let mut places = HashMap::with_capacity(self.summed);
        let mut sums: Vec<RawArc> = Vec::with_capacity(self.summed);
        for arc in self.arcs.drain(..) {
            let place = *places.entry((arc.from_pc, arc.self_pc)).or_insert(sums.len());
            match sums.get_mut(place) {
                Some(sum) => sum.count = sum.count.saturating_add(arc.count),
                None => sums.push(arc),
            }
        }
        self.summed = sums.len();
        self.arcs = sums;
    }
}

impl From<gmon_format::Error> for ErrorKind {
    fn from(error: gmon_format::Error) -> Self {
        Self::Data(error)
    }
}

impl From<Conflict> for ErrorKind {
    fn from(conflict: Conflict) -> Self {
        Self::Conflict(conflict)
    }
}
