//! The sums over all data files.

use std::path::{Path, PathBuf};

use gmon_format::{Block, BsdFile, DataFile, Record};

use super::counts::{Counts, RawArc};
use super::histogram::Histograms;
use super::load::Loader;
use super::watch::FileSummary;
use crate::error::ErrorKind;

/// The sum of all data files.
#[derive(Clone, Debug, Default)]
pub struct Records {
    histograms: Histograms,
    arcs: Counts<RawArc>,
    has_arcs: bool,
    blocks: Counts<Block>,
    has_blocks: bool,
    foreign_files: Vec<PathBuf>,
    files: usize,
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
        self.arcs.list()
    }

    /// Whether the files can hold arcs: there was a call-graph record, even one that counts no
    /// call, or a file of BSD.
    #[must_use]
    pub fn has_arcs(&self) -> bool {
        self.has_arcs
    }

    /// The basic blocks, in the order in which their addresses first appeared.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        self.blocks.list()
    }

    /// Whether there was any basic-block record, even one without blocks.
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

    /// Adds the file that lies at `path` and consists of `bytes`.
    pub(super) fn add_file(
        &mut self,
        path: &Path,
        bytes: &[u8],
        loader: &Loader,
    ) -> Result<FileSummary, ErrorKind> {
        if self.files > 0 {
            self.unite();
        }
        self.blocks.unite();
        self.files += 1;
        let mut addresses = Addresses { loader, any: false, belong: false };
        let summary = match loader.open(bytes)? {
            DataFile::Gnu(records) => {
                let version = Some(records.version());
                let mut summary = FileSummary { version, ..FileSummary::default() };
                for record in records {
                    self.add_record(&record?, &mut summary, &mut addresses)?;
                }
                summary
            }
            DataFile::Bsd(file) => self.add_bsd(&file, &mut addresses)?,
        };
        if addresses.any && !addresses.belong {
            self.foreign_files.push(path.to_owned());
        }
        Ok(summary)
    }

    fn add_record(
        &mut self,
        record: &Record<'_>,
        summary: &mut FileSummary,
        addresses: &mut Addresses<'_>,
    ) -> Result<(), ErrorKind> {
        match record {
            Record::Histogram(histogram) => {
                summary.histograms += 1;
                addresses.meet(histogram.header.low_pc, histogram.header.high_pc);
                self.histograms.add(histogram)?;
            }
            Record::Arc(arc) => {
                summary.arcs += 1;
                self.has_arcs = true;
                self.add_arc(arc, addresses);
            }
            Record::Blocks(blocks) => {
                summary.blocks += 1;
                self.has_blocks = true;
                for block in blocks.iter() {
                    addresses.meet(block.pc, block.pc);
                    self.blocks.add(block);
                }
            }
        }
        Ok(())
    }

    fn add_bsd(
        &mut self,
        file: &BsdFile<'_>,
        addresses: &mut Addresses<'_>,
    ) -> Result<FileSummary, ErrorKind> {
        let header = file.header();
        addresses.meet(header.low_pc, header.high_pc);
        self.histograms.add_bsd(file)?;
        self.has_arcs = true;
        let histograms = u64::from(header.bins > 0);
        let mut summary = FileSummary { histograms, ..FileSummary::default() };
        for arc in file.arcs() {
            summary.arcs += 1;
            self.add_arc(&arc, addresses);
        }
        Ok(summary)
    }

    fn add_arc(&mut self, arc: &gmon_format::Arc, addresses: &mut Addresses<'_>) {
        let &gmon_format::Arc { from_pc, self_pc, count } = arc;
        addresses.meet(self_pc, self_pc);
        self.arcs.add(RawArc { from_pc, self_pc, count });
    }

    /// Adds the sum of files that come after those of this one.
    pub(super) fn absorb(&mut self, other: Self) -> Result<(), ErrorKind> {
        self.histograms.absorb(other.histograms)?;
        self.arcs.absorb(other.arcs);
        self.has_arcs |= other.has_arcs;
        self.blocks.absorb(other.blocks);
        self.has_blocks |= other.has_blocks;
        self.foreign_files.extend(other.foreign_files);
        self.files += other.files;
        Ok(())
    }

    /// Sums arcs of the same addresses.
    pub(super) fn unite(&mut self) {
        self.arcs.unite();
    }
}

/// Whether a file's addresses lie in the program's code.
struct Addresses<'a> {
    loader: &'a Loader,
    any: bool,
    belong: bool,
}

impl Addresses<'_> {
    fn meet(&mut self, low_pc: u64, high_pc: u64) {
        self.any = true;
        self.belong = self.belong || self.loader.has_code_in(low_pc, high_pc);
    }
}
