//! The records that follow the header, each introduced by a one-byte tag.

use crate::read::{Cursor, CutShort};
use crate::{
    Blocks, ByteOrder, CallSite, Encoding, ErrorKind, FilePc, LoadedPc, ReturnPc, SelfPc, WordSize,
};

/// Tag of a histogram record.
pub const HISTOGRAM_TAG: u8 = 0;
/// Tag of a call-graph arc record.
pub const ARC_TAG: u8 = 1;
/// Tag of a basic-block count record.
pub const BLOCKS_TAG: u8 = 2;

/// A record of a data file, borrowing its bulk data from the file's bytes.
#[derive(Clone, Copy, Debug)]
pub enum Record<'a> {
    /// Samples of the program counter.
    Histogram(Histogram<'a>),
    /// Calls from one call site to one function.
    Arc(Arc),
    /// Executions of basic blocks.
    Blocks(Blocks<'a>),
}

impl<'a> Record<'a> {
    /// Takes the fields of the record that `tag` begins, from a file whose header states `version`. If the end of
    /// the file cuts bins short, the error follows the record.
    pub(crate) fn take(
        tag: u8,
        version: u32,
        cursor: &mut Cursor<'a>,
    ) -> Result<(Self, Option<ErrorKind>), ErrorKind> {
        let whole = |record| (record, None);
        match tag {
            HISTOGRAM_TAG => Histogram::take(cursor)
                .map(|(histogram, error)| (Self::Histogram(histogram), error))
                .ok_or(ErrorKind::UnexpectedEnd),
            ARC_TAG => Arc::take(cursor).map(Self::Arc).map(whole).ok_or(ErrorKind::UnexpectedEnd),
            BLOCKS_TAG => Blocks::take(cursor, version).map(Self::Blocks).map(whole),
            _ => Err(ErrorKind::BadTag(tag)),
        }
    }
}

/// Range of a histogram, and the meaning of its bins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistogramHeader<A = FilePc> {
    /// Lowest address covered.
    pub low_pc: A,
    /// First address past the covered range.
    pub high_pc: A,
    /// Number of bins, which divide the range evenly.
    pub bins: u32,
    /// Counts per unit of the dimension: ticks per second for the usual dimension.
    pub rate: u32,
    /// Name of the dimension counted, padded with NUL: normally `seconds`.
    pub dimension: [u8; 15],
    /// Abbreviation of the dimension, of one letter: normally `s`.
    pub abbreviation: u8,
}

impl HistogramHeader {
    /// Size in bytes of the record's fields, without its tag and its bins.
    #[must_use]
    pub const fn len(word: WordSize) -> usize {
        2 * word.bytes() + 24
    }

    /// The dimension `seconds`, as the file stores it.
    pub const SECONDS: [u8; 15] = *b"seconds\0\0\0\0\0\0\0\0";
}

/// A histogram record.
#[derive(Clone, Copy, Debug)]
pub struct Histogram<'a> {
    /// Range, rate and dimension.
    pub header: HistogramHeader,
    /// The counts.
    pub bins: Bins<'a>,
}

impl<'a> Histogram<'a> {
    fn take(cursor: &mut Cursor<'a>) -> Option<(Self, Option<ErrorKind>)> {
        let header = HistogramHeader {
            low_pc: FilePc(cursor.word()?),
            high_pc: FilePc(cursor.word()?),
            bins: cursor.u32()?,
            rate: cursor.u32()?,
            dimension: cursor.array()?,
            abbreviation: cursor.u8()?,
        };
        let (bins, cut) = Bins::take(cursor, header.bins);
        let error =
            cut.map(|CutShort(read)| ErrorKind::BinsCutShort { read, announced: header.bins });
        Some((Self { header, bins }, error))
    }

    /// Returns `true` if all bins are there that the header announces.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.bins.iter().len() == self.header.bins as usize
    }
}

/// The 16-bit counts of a histogram, in address order.
#[derive(Clone, Copy, Debug)]
pub struct Bins<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) order: ByteOrder,
}

impl<'a> Bins<'a> {
    /// Takes `announced` bins from the file or, if it is cut short, those that are there.
    pub(crate) fn take(cursor: &mut Cursor<'a>, announced: u32) -> (Self, Option<CutShort>) {
        let (bytes, cut) = match cursor.items(announced, 2) {
            Ok(bytes) => (bytes, None),
            Err(cut) => (cursor.remainder(), Some(cut)),
        };
        (Self { bytes, order: cursor.encoding().order }, cut)
    }

    /// Iterates over the counts.
    pub fn iter(self) -> impl ExactSizeIterator<Item = u16> + 'a {
        let encoding = Encoding { word: WordSize::Eight, order: self.order };
        self.bytes.chunks_exact(2).map(move |pair| encoding.u16([pair[0], pair[1]]))
    }
}

/// A call-graph arc: how often one call site called one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The call, in the caller.
    pub from_pc: CallSite,
    /// The function called.
    pub self_pc: SelfPc,
    /// Calls counted by this record, which has 32 bits for them in the GNU format; several records of
    /// one pair add up.
    pub count: u64,
}

/// Number of calls of one function by one call site, as a process counted it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadedArc {
    /// Address that the calls return to.
    pub return_pc: ReturnPc,
    /// The function called.
    pub self_pc: SelfPc<LoadedPc>,
    /// Calls.
    pub count: u64,
}

impl Arc {
    /// The arc of a record with these numbers.
    #[must_use]
    pub const fn new(from_pc: u64, self_pc: u64, count: u64) -> Self {
        Self { from_pc: CallSite(FilePc(from_pc)), self_pc: SelfPc(FilePc(self_pc)), count }
    }

    fn take(cursor: &mut Cursor<'_>) -> Option<Self> {
        Some(Self::new(cursor.word()?, cursor.word()?, cursor.u32()?.into()))
    }

    /// Size in bytes of the record's fields, without its tag.
    #[must_use]
    pub const fn len(word: WordSize) -> usize {
        2 * word.bytes() + 4
    }
}
