//! The sums over all data files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gmon_format::live::Live;
use gmon_format::{Arc, Block, BsdFile, DataFile, FilePc, Record, SelfPc};

use super::bb_out::{BbOut, Miscount};
use super::counts::Counts;
use super::full::{CodePlace, Frame, FullRecords, Stretches};
use super::histogram::Histograms;
use super::load::{Kind, Loader};
use super::watch::FileSummary;
use crate::error::ErrorKind;

/// The sum of all data files.
#[derive(Clone, Debug, Default)]
pub struct Records {
    histograms: Histograms,
    arcs: Counts<Arc>,
    has_arcs: bool,
    blocks: Counts<Block>,
    has_blocks: bool,
    foreign_files: Vec<PathBuf>,
    miscounts: Vec<(PathBuf, Miscount)>,
    full: FullRecords,
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
    pub fn arcs(&self) -> &[Arc] {
        self.arcs.list()
    }

    /// Returns `true` if the files can hold arcs: there was a call-graph record, even one that
    /// counts no call, or a file of BSD.
    #[must_use]
    pub fn has_arcs(&self) -> bool {
        self.has_arcs
    }

    /// The basic blocks, in the order in which their addresses first appeared.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        self.blocks.list()
    }

    /// Returns `true` if there was any basic-block record, even one without blocks.
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

    /// Facts in full profiles about modules, threads and stacks.
    #[must_use]
    pub fn full(&self) -> &FullRecords {
        &self.full
    }

    /// Returns `true` if any tick fell into the program.
    #[must_use]
    pub fn has_samples(&self) -> bool {
        self.histograms.list().iter().any(|histogram| histogram.bins.iter().any(|bin| *bin != 0))
    }

    /// Adds counts of processes that wrote no full profile to what the full ones say of all modules.
    pub(crate) fn add_counts_to_full(&mut self, others: &Self) {
        self.full.add_counts(others.arcs(), others.blocks());
    }

    /// Keeps only what the program counted itself, not what full profiles say beside it.
    pub(crate) fn without_full(self) -> Self {
        Self { full: FullRecords::default(), ..self }
    }

    /// Only what was sampled in stretches of time, as far as full profiles know it. Counts, which have no times, are gone.
    #[must_use]
    pub fn during(&self, stretches: &Stretches) -> Self {
        let full = self.full.during(stretches);
        let mut histograms = self.histograms.emptied();
        for node in full.nodes() {
            if let Frame::Code(CodePlace::Module(module, pc)) = node.frame {
                if Some(module) == full.program() {
                    histograms.count(pc, node.own.running());
                }
            }
        }
        let (foreign_files, files) = (self.foreign_files.clone(), self.files);
        Self { histograms, full, foreign_files, files, ..Self::default() }
    }

    /// Texts of basic blocks that announce more or fewer blocks than they have.
    #[must_use]
    pub fn miscounts(&self) -> &[(PathBuf, Miscount)] {
        &self.miscounts
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
        let mut addresses = Addresses::new(loader);
        let summary = match loader.kind(bytes) {
            Kind::Live => self.add_live(&Live::new(bytes)?, &mut addresses)?,
            Kind::Text => self.add_text(path, BbOut::read(bytes, loader.encoding)?, &mut addresses),
            Kind::Data => match loader.open(bytes)? {
                DataFile::Gnu(records) => self.add_gnu(records, &mut addresses)?,
                DataFile::Bsd(file) => self.add_bsd(&file, &mut addresses)?,
            },
        };
        if addresses.are_foreign() {
            self.foreign_files.push(path.to_owned());
        }
        Ok(summary)
    }

    fn add_gnu(
        &mut self,
        records: gmon_format::Records<'_>,
        addresses: &mut Addresses<'_>,
    ) -> Result<FileSummary, ErrorKind> {
        let version = Some(records.version());
        let mut summary = FileSummary { version, ..FileSummary::default() };
        for record in records {
            self.add_record(&record?, &mut summary, addresses)?;
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
                addresses.meet_range(histogram.header.low_pc, histogram.header.high_pc);
                // One that is cut short is only checked.
                let bins = histogram.is_whole().then(|| histogram.bins.iter().map(u64::from));
                self.histograms.add(&histogram.header, bins)?;
            }
            Record::Arc(arc) => {
                summary.arcs += 1;
                self.has_arcs = true;
                self.add_arc(*arc, addresses);
            }
            Record::Blocks(blocks) => {
                summary.blocks += 1;
                self.has_blocks = true;
                blocks.iter().for_each(|block| self.add_block(block, addresses));
            }
        }
        Ok(())
    }

    /// Adds what the program has counted in the order of its data file: arcs and blocks by address.
    fn add_live(
        &mut self,
        live: &Live<'_>,
        addresses: &mut Addresses<'_>,
    ) -> Result<FileSummary, ErrorKind> {
        let (found, expected) = (live.header().encoding, addresses.loader.encoding);
        if found != expected {
            return Err(ErrorKind::OtherEncoding { found, expected });
        }
        addresses.loader.check_build(live)?;
        if !is_plausible(live) {
            return Err(ErrorKind::LiveCounts);
        }
        let mut full = FullRecords::default();
        full.add(live);
        addresses.loader.check_sum(&self.full, &full)?;
        if self.full.origin().is_some() {
            self.full.absorb(full)
        } else {
            self.full = full
        }
        let mut summary = FileSummary::default();
        if let Some(histogram) = live.histogram() {
            let header = &histogram.header;
            summary.histograms += 1;
            addresses.meet(header.low_pc, header.high_pc);
            let mut bins = vec![0; header.bins as usize];
            for (bin, count) in histogram.counts() {
                bins[bin as usize] = count;
            }
            self.histograms.add(header, Some(bins.into_iter()))?;
        }
        // Each thread has counts of its own.
        let mut arcs = BTreeMap::new();
        for Arc { from_pc, self_pc, count } in live.arcs() {
            let sum: &mut u64 = arcs.entry((from_pc, self_pc)).or_default();
            *sum = sum.saturating_add(count);
        }
        summary.arcs = arcs.len() as u64;
        self.has_arcs |= !arcs.is_empty();
        for ((from_pc, self_pc), count) in arcs {
            self.add_arc(Arc { from_pc, self_pc, count }, addresses);
        }
        let mut blocks: Vec<Block> = live.basic_blocks().collect();
        blocks.sort_unstable_by_key(|block| block.pc);
        summary.blocks = u64::from(!blocks.is_empty());
        self.has_blocks |= !blocks.is_empty();
        blocks.into_iter().for_each(|block| self.add_block(block, addresses));
        Ok(summary)
    }

    fn add_text(&mut self, path: &Path, text: BbOut, addresses: &mut Addresses<'_>) -> FileSummary {
        let blocks = text.files.len() as u64;
        self.has_blocks |= blocks != 0;
        text.files.into_iter().flatten().for_each(|block| self.add_block(block, addresses));
        let miscounts = text.miscounts.into_iter().map(|miscount| (path.to_owned(), miscount));
        self.miscounts.extend(miscounts);
        FileSummary { blocks, ..FileSummary::default() }
    }

    fn add_bsd(
        &mut self,
        file: &BsdFile<'_>,
        addresses: &mut Addresses<'_>,
    ) -> Result<FileSummary, ErrorKind> {
        let header = file.header();
        addresses.meet_range(header.low_pc, header.high_pc);
        self.histograms.add_bsd(file)?;
        self.has_arcs = true;
        let histograms = u64::from(header.bins > 0);
        let mut summary = FileSummary { histograms, ..FileSummary::default() };
        for arc in file.arcs() {
            summary.arcs += 1;
            self.add_arc(arc, addresses);
        }
        Ok(summary)
    }

    fn add_block(&mut self, block: Block, addresses: &mut Addresses<'_>) {
        addresses.meet(block.pc, block.pc);
        self.blocks.add(block);
    }

    fn add_arc(&mut self, arc: Arc, addresses: &mut Addresses<'_>) {
        addresses.meet_entry(arc.self_pc);
        self.arcs.add(arc);
    }

    /// Adds the sum of files that come after those of this one.
    pub(super) fn absorb(&mut self, other: Self, loader: &Loader) -> Result<(), ErrorKind> {
        self.histograms.absorb(other.histograms)?;
        self.arcs.absorb(other.arcs);
        self.has_arcs |= other.has_arcs;
        self.blocks.absorb(other.blocks);
        self.has_blocks |= other.has_blocks;
        self.foreign_files.extend(other.foreign_files);
        self.miscounts.extend(other.miscounts);
        loader.check_sum(&self.full, &other.full)?;
        self.full.absorb(other.full);
        self.files += other.files;
        Ok(())
    }

    /// Sums arcs of the same addresses.
    pub(super) fn unite(&mut self) {
        self.arcs.unite();
    }
}

/// True if programs can have counted what a live file says, as they can where it is not damaged: 35 years of samples at 1,000 Hz,
/// 834 days of calls and blocks that take a nanosecond. A data file of more would fill a disk.
fn is_plausible(live: &Live<'_>) -> bool {
    const MOST_SAMPLES: u64 = 1 << 40;
    const MOST_CALLS: u64 = 1 << 56;
    fn sum(counts: impl Iterator<Item = u64>) -> u64 {
        counts.fold(0, u64::saturating_add)
    }
    let samples = live.histogram().map_or(0, |histogram| sum(histogram.counts().map(|it| it.1)));
    samples <= MOST_SAMPLES
        && sum(live.arcs().map(|arc| arc.count)) <= MOST_CALLS
        && sum(live.basic_blocks().map(|block| block.count)) <= MOST_CALLS
}

/// Finds out whether a file's addresses are the program's.
struct Addresses<'a> {
    loader: &'a Loader,
    any: bool,
    belong: bool,
    reaches_over: bool,
    /// Counted calls that enter code of the program, and those among them that cannot.
    entries: [u64; 2],
}

impl<'a> Addresses<'a> {
    fn new(loader: &'a Loader) -> Self {
        Self { loader, any: false, belong: false, reaches_over: false, entries: [0; 2] }
    }

    fn meet(&mut self, low_pc: FilePc, high_pc: FilePc) -> bool {
        let belongs = self.loader.has_code_in(low_pc, high_pc);
        self.any = true;
        self.belong |= belongs;
        belongs
    }

    fn meet_range(&mut self, low_pc: FilePc, high_pc: FilePc) {
        let belongs = self.meet(low_pc, high_pc);
        self.reaches_over |= belongs && !self.loader.can_be_range(high_pc);
    }

    fn meet_entry(&mut self, SelfPc(pc): SelfPc) {
        if self.meet(pc, pc) || self.loader.is_just_behind(pc) {
            self.entries[0] += 1;
            self.entries[1] += u64::from(!self.loader.can_be_entry(pc));
        }
    }

    fn are_foreign(&self) -> bool {
        let [entries, impossible] = self.entries;
        // Code that was made at run time may lie among the program's.
        let enter_nothing = impossible > entries / 2;
        self.any && !self.belong || self.reaches_over || enter_nothing
    }
}
