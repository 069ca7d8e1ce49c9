//! Reading a live or finished file, a live one also while it is written.

use core::fmt;
use core::ops::Range;

use super::{
    Block, Code, Content, Count, Counts, Entries, Facts, Form, Gap, Header, Mark, Module, Sample,
    Sampling, Stacks, Thread, Timing, field, word,
};
use crate::{
    Arc, Block as BasicBlock, Encoding, FilePc, HistogramHeader, LoadedArc, LoadedPc, Placement,
    WordSize,
};

/// Why a file cannot be read as a live file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LiveError {
    /// The file is shorter than its header.
    TooShort,
    /// The file does not begin as a live file does.
    NotLive,
    /// The header's version is unknown.
    UnsupportedVersion(u32),
    /// The header describes a machine that does not exist.
    BadHeader,
    /// The file is shorter than the program made it.
    CutShort {
        /// The size that the file should have, in bytes.
        expected: u64,
    },
    /// The block at an offset in bytes contradicts itself or the header.
    BadBlock {
        /// Offset of the block.
        offset: usize,
    },
}

impl fmt::Display for LiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort => write!(f, "too short to be a live profile"),
            Self::NotLive => write!(f, "not a live profile"),
            Self::UnsupportedVersion(version) => {
                write!(f, "a live profile of version {version}, which is not supported")
            }
            Self::BadHeader => write!(f, "a live profile with a damaged header"),
            Self::CutShort { expected } => {
                write!(f, "a live profile cut short: it had {expected} bytes")
            }
            Self::BadBlock { offset } => {
                write!(f, "a live profile with a damaged block at offset {offset}")
            }
        }
    }
}

impl core::error::Error for LiveError {}

/// A live file that lies in memory.
#[derive(Clone, Debug)]
pub struct Live<'a> {
    bytes: &'a [u8],
    header: Header,
}

impl<'a> Live<'a> {
    /// Checks a whole file: its header and everything that a block says about itself.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(bytes: &'a [u8]) -> Result<Self, LiveError> {
        let header = Header::decode(bytes)?;
        if header.reserved > bytes.len() as u64 {
            return Err(LiveError::CutShort { expected: header.reserved });
        }
        let live = Self { bytes, header };
        live.blocks().try_for_each(|block| block.map(drop))?;
        if live.header.histogram_at != 0 && live.histogram().is_none() {
            let offset = usize::try_from(live.header.histogram_at).unwrap_or(usize::MAX);
            return Err(LiveError::BadBlock { offset });
        }
        Ok(live)
    }

    /// Head of the file.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Calls into the program. In no order; a pair may occur again, and its counts add up.
    pub fn arcs(&self) -> impl Iterator<Item = Arc> + '_ {
        self.process_arcs().filter_map(|LoadedArc { return_pc, self_pc, count }| {
            let (from_pc, self_pc) = self.header.placement.arc(return_pc, self_pc)?;
            Some(Arc { from_pc, self_pc, count })
        })
    }

    /// Executions of the program's basic blocks. In no order; a block may occur again, and its counts
    /// add up.
    pub fn basic_blocks(&self) -> impl Iterator<Item = BasicBlock> + '_ {
        self.process_blocks().filter_map(|BasicBlock { pc, count }| {
            Some(BasicBlock { pc: self.header.placement.pc(pc)?, count })
        })
    }

    /// Calls in all modules. In no order; a pair may occur again, and its counts add up.
    pub fn process_arcs(&self) -> impl Iterator<Item = LoadedArc> + '_ {
        self.counts().filter_map(|count| match count {
            Count::Calls(arc) => Some(arc),
            Count::Executions(_) => None,
        })
    }

    /// Executions of the basic blocks of all modules. In no order; a block may occur again, and its
    /// counts add up.
    pub fn process_blocks(&self) -> impl Iterator<Item = BasicBlock<LoadedPc>> + '_ {
        self.counts().filter_map(|count| match count {
            Count::Calls(_) => None,
            Count::Executions(block) => Some(block),
        })
    }

    /// Counts of the process, one table for each block that holds some.
    pub fn tables(&self) -> impl Iterator<Item = Counts<'a>> + '_ {
        self.entries_of(Content::Arcs).map(Counts::new)
    }

    /// Addresses in functions, in the order in which these were first called; some stand there several times. None
    /// unless the process kept the order.
    pub fn first_calls(&self) -> impl Iterator<Item = LoadedPc> + '_ {
        let encoding = self.header.encoding;
        let entries =
            self.blocks_of(Content::FirstCalls).flat_map(|(block, bytes)| block.entries(bytes));
        entries.map(move |entry| LoadedPc(word(encoding, entry, 0))).filter(|pc| pc.0 != 0)
    }

    /// Executions of instructions, as far as somebody stepped through them, of all modules. In no order; an address may occur
    /// again, and its counts add up.
    pub fn steps(&self) -> impl Iterator<Item = BasicBlock<LoadedPc>> + '_ {
        let counts = self.entries_of(Content::Steps).map(Counts::new).flat_map(Counts::filled);
        counts.filter_map(|(_, count)| match count {
            Count::Calls(_) => None,
            Count::Executions(block) => Some(block),
        })
    }

    /// Everything that the process counted.
    fn counts(&self) -> impl Iterator<Item = Count> + '_ {
        let encoding = self.header.encoding;
        let entries = self.blocks_of(Content::Arcs).flat_map(|(block, bytes)| block.entries(bytes));
        entries.filter_map(move |entry| Count::decode(entry, encoding))
    }

    /// The histograms of all modules.
    pub fn process_histograms(&self) -> impl Iterator<Item = LiveHistogram<'a, LoadedPc>> + '_ {
        let is_live = self.header.form == Form::Live;
        let program = is_live.then(|| self.program_histogram()).flatten();
        let blocks = (!is_live).then(|| self.sound_blocks()).into_iter().flatten();
        let others = blocks.filter_map(|(block, bytes)| self.histogram_of(block, bytes));
        program.into_iter().chain(others)
    }

    /// The stacks, one forest of nodes for each block that holds some.
    pub fn stacks(&self) -> impl Iterator<Item = Stacks<'a>> + '_ {
        let (encoding, size) = (self.header.encoding, self.bytes.len());
        self.sound_blocks().filter_map(move |(block, bytes)| {
            let Content::Stacks { first } = block.content else { return None };
            let entries = Entries::new(encoding, block, bytes, size - bytes.len());
            Some(Stacks::new(entries, first))
        })
    }

    /// Times of calls, of each function and thread. In no order; a pair may occur again, and all adds up.
    pub fn times(&self) -> impl Iterator<Item = Timing<'a>> + '_ {
        self.entries_of(Content::Times).flat_map(Timing::all)
    }

    /// Offsets of what threads need for [times of calls](Self::times) and nobody else, in bytes from the start of the file.
    pub fn places_of_running_calls(&self) -> impl Iterator<Item = Range<usize>> + 'a {
        let len = self.bytes.len();
        self.blocks_of(Content::Times).map(move |(block, rest)| {
            let start = len - rest.len();
            let entries_at = usize::try_from(block.entries_at).unwrap_or(Block::LEN);
            start + Block::LEN..start + entries_at
        })
    }

    /// The samples with their times, in no order; none unless the process kept them.
    pub fn samples(&self) -> impl Iterator<Item = Sample> + '_ {
        self.entries_of(Content::Samples).flat_map(Sample::all)
    }

    /// Marks of the program, in no order.
    pub fn marks(&self) -> impl Iterator<Item = Mark> + '_ {
        self.entries_of(Content::Marks).flat_map(Mark::all)
    }

    /// Stretches in which threads did not run, in no order.
    pub fn gaps_of_threads(&self) -> impl Iterator<Item = Gap> + '_ {
        self.entries_of(Content::Gaps).flat_map(Gap::all)
    }

    /// Offsets of the samples' entries in the file, in bytes from its start.
    pub fn sample_places(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.entries_of(Content::Samples).map(Entries::place)
    }

    /// The modules that lay in the process.
    pub fn modules(&self) -> impl Iterator<Item = Module<'a>> + '_ {
        let encoding = self.header.encoding;
        self.blocks_of(Content::Modules).flat_map(move |(block, bytes)| {
            let len = usize::try_from(block.len).unwrap_or(usize::MAX);
            let own = bytes.get(..len).unwrap_or(bytes);
            block.entries(bytes).filter_map(move |entry| Module::decode(entry, own, encoding))
        })
    }

    /// Code that is in no file.
    pub fn code(&self) -> impl Iterator<Item = Code<'a>> + '_ {
        let encoding = self.header.encoding;
        self.blocks_of(Content::Code).flat_map(move |(block, bytes)| {
            let len = usize::try_from(block.len).unwrap_or(usize::MAX);
            let own = bytes.get(..len).unwrap_or(bytes);
            block.entries(bytes).filter_map(move |entry| Code::decode(entry, own, encoding))
        })
    }

    /// The threads, each with the position by which the nodes of stacks name it.
    pub fn threads(&self) -> impl Iterator<Item = (u64, Thread)> + '_ {
        let encoding = self.header.encoding;
        let entries = self.blocks_of(Content::Threads).flat_map(|(block, all)| block.entries(all));
        (0..).zip(entries).filter_map(move |(position, entry)| {
            Thread::decode(entry, encoding).map(|thread| (position, thread))
        })
    }

    /// Facts about the run: the texts of the blocks of facts, of which a later one replaces what an
    /// earlier one says.
    pub fn facts(&self) -> impl Iterator<Item = Facts<'a>> + '_ {
        let blocks = self.blocks_of(Content::Facts);
        blocks.map(|(block, bytes)| Facts::new(block.entry_bytes(bytes)))
    }

    /// The histogram of the program, if it has one.
    #[must_use]
    pub fn histogram(&self) -> Option<LiveHistogram<'a>> {
        self.program_histogram().map(|histogram| histogram.in_file(&self.header.placement))
    }

    /// Offsets of the program's bins in the file, if it has any, in bytes from its start.
    #[must_use]
    pub fn bins(&self) -> Option<Range<usize>> {
        let LiveHistogram { block, bytes, .. } = self.program_histogram()?;
        let start = self.bytes.len() - bytes.len() + usize::try_from(block.entries_at).ok()?;
        Some(start..start + block.entry_bytes(bytes).len())
    }

    fn program_histogram(&self) -> Option<LiveHistogram<'a, LoadedPc>> {
        let offset = usize::try_from(self.header.histogram_at).ok().filter(|at| *at != 0)?;
        let bytes = self.bytes.get(offset..)?;
        let encoding = self.header.encoding;
        let block = Some(bytes).filter(|bytes| Block::begins(bytes));
        let block = block.and_then(|bytes| Block::decode(bytes, encoding))?;
        self.histogram_of(block, bytes)
    }

    /// The histogram in a block.
    fn histogram_of(&self, block: Block, bytes: &'a [u8]) -> Option<LiveHistogram<'a, LoadedPc>> {
        let Content::Histogram { low_pc, bin_len } = block.content else { return None };
        let Sampling { rate, dimension, abbreviation } = self.header.sampling;
        let bins = u32::try_from(block.entries).ok()?;
        let len = u64::from(bins) * u64::from(bin_len);
        let high_pc = LoadedPc(low_pc.0.wrapping_add(len));
        let header = HistogramHeader { low_pc, high_pc, bins, rate, dimension, abbreviation };
        Some(LiveHistogram { header, block, bytes, encoding: self.header.encoding })
    }

    /// The entries of each block with this content.
    fn entries_of(&self, content: Content) -> impl Iterator<Item = Entries<'a>> + 'a {
        let (encoding, size) = (self.header.encoding, self.bytes.len());
        let blocks = self.blocks_of(content);
        blocks.map(move |(block, bytes)| Entries::new(encoding, block, bytes, size - bytes.len()))
    }

    /// The blocks with this content.
    fn blocks_of(&self, content: Content) -> impl Iterator<Item = (Block, &'a [u8])> + 'a {
        self.sound_blocks().filter(move |(block, _)| block.content == content)
    }

    /// Offsets at which nothing is, in bytes from the start of the file. Of a live file, further blocks may
    /// come there.
    pub fn gaps(&self) -> impl Iterator<Item = Range<usize>> + 'a {
        let len = self.bytes.len();
        let blocks = self.sound_blocks().map(move |(block, rest)| {
            let start = len - rest.len();
            start..start + usize::try_from(block.len).unwrap_or(usize::MAX).min(rest.len())
        });
        let mut end = Header::LEN.next_multiple_of(self.header.form.alignment()).min(len);
        blocks.chain(core::iter::once(len..len)).map(move |block| {
            let gap = end..block.start.max(end);
            end = block.end;
            gap
        })
    }

    /// The blocks, all of which were checked.
    fn sound_blocks(&self) -> impl Iterator<Item = (Block, &'a [u8])> + 'a {
        self.blocks().filter_map(Result::ok)
    }

    /// The blocks, each with the bytes from its start to the end of the file.
    fn blocks(&self) -> impl Iterator<Item = Result<(Block, &'a [u8]), LiveError>> + 'a {
        let (bytes, encoding) = (self.bytes, self.header.encoding);
        let alignment = self.header.form.alignment();
        let mut offset = Header::LEN.next_multiple_of(alignment);
        core::iter::from_fn(move || {
            loop {
                let rest = bytes.get(offset..)?;
                if !Block::begins(rest) {
                    offset = offset.checked_add(alignment)?;
                    continue;
                }
                let start = offset;
                let Some(block) = Block::decode(rest, encoding) else {
                    // Where the next block begins is not known.
                    offset = usize::MAX;
                    return Some(Err(LiveError::BadBlock { offset: start }));
                };
                // A sound block ends in the file, and has more than its first bytes.
                let len = usize::try_from(block.len).unwrap_or(usize::MAX);
                offset = offset.saturating_add(len.max(1).next_multiple_of(alignment));
                return Some(Ok((block, rest)));
            }
        })
    }
}

/// A histogram in a file.
#[derive(Clone, Copy, Debug)]
pub struct LiveHistogram<'a, A = FilePc> {
    /// Range, rate and dimension.
    pub header: HistogramHeader<A>,
    block: Block,
    bytes: &'a [u8],
    encoding: Encoding,
}

impl<'a> LiveHistogram<'a, LoadedPc> {
    fn in_file(self, placement: &Placement) -> LiveHistogram<'a> {
        let Self { header, block, bytes, encoding } = self;
        let HistogramHeader { low_pc, high_pc, bins, rate, dimension, abbreviation } = header;
        let (low_pc, high_pc) = (placement.file_pc(low_pc), placement.file_pc(high_pc));
        let header = HistogramHeader { low_pc, high_pc, bins, rate, dimension, abbreviation };
        LiveHistogram { header, block, bytes, encoding }
    }
}

impl<'a, A: 'a> LiveHistogram<'a, A> {
    /// Number of bins that share one of the [`marks`](Self::marks).
    pub const BINS_PER_MARK: usize = 1024;

    /// The bins that are not zero, by ascending index.
    pub fn counts(self) -> impl Iterator<Item = (u32, u64)> + Clone + 'a {
        let encoding = self.bin_encoding();
        let counts = (0..).zip(self.block.entries(self.bytes));
        counts.map(move |(i, bin)| (i, word(encoding, bin, 0))).filter(|(_, count)| *count != 0)
    }

    /// The bytes of all bins.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.block.entry_bytes(self.bytes)
    }

    /// Size of a bin in bytes.
    #[must_use]
    pub fn bin_len(&self) -> usize {
        self.bin_encoding().word.bytes()
    }

    /// Marks of the bins that were counted, in a live file: a word for each [`BINS_PER_MARK`](Self::BINS_PER_MARK)
    /// bins, which changes after each count of one of them. None if nobody keeps that.
    pub fn marks(&self) -> impl Iterator<Item = u32> + 'a {
        const WORD: usize = 4;
        let encoding = self.encoding;
        let number = |number| usize::try_from(number).unwrap_or(usize::MAX);
        let start = number(self.block.entries_at).saturating_add(self.bytes().len());
        let behind = self.bytes.get(start..number(self.block.len)).unwrap_or_default();
        let len = number(self.block.entries).div_ceil(Self::BINS_PER_MARK).saturating_mul(WORD);
        let words = behind.get(..len).unwrap_or_default().chunks_exact(WORD);
        words.map(move |word| encoding.u32(field(word, 0)))
    }

    /// The bins in a part of [`bytes`](Self::bytes) that differ from those of `earlier`, as many as these: by ascending index,
    /// with the count of then and that of now.
    pub fn changes<'e>(
        &self,
        part: Range<usize>,
        earlier: &'e [u8],
    ) -> impl Iterator<Item = (u32, u64, u64)> + use<'a, 'e, A> {
        /// Most bins are as they were: so many bytes are compared at once.
        const AT_ONCE: usize = 256;
        let encoding = self.bin_encoding();
        let len = self.bin_len();
        let first = (part.start / len) as u32;
        let before = earlier.get(part.clone()).unwrap_or_default().chunks(AT_ONCE);
        let now = self.bytes().get(part).unwrap_or_default().chunks(AT_ONCE);
        let pieces = (first..).step_by(AT_ONCE / len).zip(now.zip(before));
        let pieces = pieces.filter(|(_, (now, before))| now != before);
        let bins = pieces.flat_map(move |(first, (now, before))| {
            (first..).zip(now.chunks_exact(len).zip(before.chunks_exact(len)))
        });
        let counts = bins.map(move |(index, (now, before))| {
            (index, word(encoding, before, 0), word(encoding, now, 0))
        });
        counts.filter(|(_, before, now)| before != now)
    }

    /// The encoding in which a count is a word.
    fn bin_encoding(&self) -> Encoding {
        let word = if self.block.entry_len == 4 { WordSize::Four } else { WordSize::Eight };
        Encoding { word, ..self.encoding }
    }
}
