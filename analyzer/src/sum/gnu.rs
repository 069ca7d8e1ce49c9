//! Writes a sum in the GNU format, in which nothing is too wide: it is split into several records.

use std::io::{self, Write};

use gmon_format::{Arc, Encoding, HistogramHeader, WordSize, Writer};

use super::contents::Sum;
use super::sink::{BUFFER, To};
use crate::records::{Histogram, Sampling};

impl Sum<'_> {
    /// Bytes that the sum takes in the GNU format, whose narrow fields need many records for large counts;
    /// `None` if they cannot be counted.
    #[must_use]
    pub fn gnu_len(&self, word: WordSize) -> Option<u64> {
        let blocks = self.blocks.as_deref().unwrap_or_default();
        let arcs = parts(self.arcs.iter().map(|arc| arc.count), u32::MAX.into())?;
        let arcs = arcs.checked_mul(1 + Arc::len(word) as u64)?;
        let blocks = parts(blocks.iter().map(|block| block.count), word.largest())?;
        let blocks = blocks.checked_mul(2 * word.bytes() as u64)?;
        let histogram = |histogram: &Histogram| {
            let most = histogram.bins.iter().copied().max().unwrap_or(0);
            let records = most.div_ceil(u16::MAX.into()).max(1);
            let bins = 2 * histogram.bins.len() as u64;
            records.checked_mul(1 + HistogramHeader::len(word) as u64 + bins)
        };
        let counts = arcs.checked_add(blocks)?;
        let mut histograms = self.histograms.list().iter().map(histogram);
        histograms.try_fold(counts, |sum, len| sum.checked_add(len?))
    }

    /// Writes the sum in the GNU format. The same sum is always the same bytes.
    ///
    /// # Errors
    /// Those of the output, and if an arc counts more calls than one can have made.
    pub fn write_gnu(&self, encoding: Encoding, out: &mut dyn Write) -> io::Result<()> {
        let mut buffer = vec![0; BUFFER];
        let mut writer = Writer::new(To(out), encoding, &mut buffer)?;
        if let Some(sampling) = self.histograms.sampling() {
            for histogram in self.histograms.list() {
                let used = histogram.bins.iter().zip(0..).filter(|(count, _)| **count != 0);
                writer
                    .histogram(&header(histogram, sampling), used.map(|(count, i)| (i, *count)))?;
            }
        }
        for arc in self.arcs.iter() {
            if arc.count > MOST_CALLS {
                return Err(no_room(arc.count));
            }
            writer.arc(*arc)?;
        }
        if let Some(blocks) = &self.blocks {
            writer.blocks(blocks.iter().copied())?;
        }
        writer.finish().map(drop)
    }
}

/// Calls of one arc that take 65,536 records. A damaged file of BSD can have counts for which the disk
/// has no room, and that nobody would live to see the end of.
const MOST_CALLS: u64 = 1 << 48;

/// How many fields it takes that hold `most` each to write these counts.
fn parts(mut counts: impl Iterator<Item = u64>, most: u64) -> Option<u64> {
    counts.try_fold(0, |sum: u64, count| sum.checked_add(count.div_ceil(most).max(1)))
}

fn no_room(count: u64) -> io::Error {
    let text = format!("{count} calls along one arc are more than the GNU format has room for");
    io::Error::new(io::ErrorKind::InvalidData, text)
}

fn header(histogram: &Histogram, sampling: &Sampling) -> HistogramHeader {
    let mut dimension = [0; 15];
    for (place, byte) in dimension.iter_mut().zip(&sampling.dimension) {
        *place = *byte;
    }
    HistogramHeader {
        low_pc: histogram.range.start,
        high_pc: histogram.range.end,
        // As many as some record announced, in 32 bits.
        bins: histogram.bins.len() as u32,
        rate: sampling.rate,
        dimension,
        abbreviation: sampling.abbreviation,
    }
}
