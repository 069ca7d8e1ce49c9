//! Writing the GNU format.
//!
//! The file's fields are narrow: 16 bits for a bin, 32 bits for an arc's count. Readers add up
//! records of the same range or the same pair, so a wider value is written as several records
//! (GNU gprof sums bins in 32 bits and arcs in 64).

use super::buffer::{Buffer, Sink, parts};
use crate::record::{ARC_TAG, BLOCKS_TAG, HISTOGRAM_TAG};
use crate::{Arc, Block, Encoding, HistogramHeader, header};

/// Writes one GNU data file, record by record.
///
/// Call [`finish`](Self::finish) at the end: dropping a writer loses what its buffer holds.
#[derive(Debug)]
pub struct Writer<'b, S> {
    buffer: Buffer<'b, S>,
}

impl<'b, S: Sink> Writer<'b, S> {
    /// Starts a file with its header. Any `buffer` of at least one byte will do; a page or more
    /// keeps the number of calls to the sink small.
    ///
    /// # Errors
    /// Those of the sink.
    ///
    /// # Panics
    /// If `buffer` is empty.
    pub fn new(sink: S, encoding: Encoding, buffer: &'b mut [u8]) -> Result<Self, S::Error> {
        let mut buffer = Buffer::new(sink, encoding, buffer);
        buffer.put(&header::MAGIC)?;
        buffer.u32(header::VERSION)?;
        buffer.put(&[0; header::LEN - 8])?;
        Ok(Self { buffer })
    }

    /// Writes a histogram from the bins that are not zero: their indices, ascending and below
    /// `header.bins`, and counts of any width. It is one record when all counts fit in 16 bits, else
    /// as many records of the same range as the largest count needs.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn histogram(
        &mut self,
        header: &HistogramHeader,
        counts: impl Iterator<Item = (u32, u64)> + Clone,
    ) -> Result<(), S::Error> {
        const FULL: u64 = u16::MAX as u64;
        let mut written = 0;
        loop {
            self.histogram_header(header)?;
            let mut more = false;
            let mut next = 0;
            let bins = counts.clone().filter(|(i, _)| *i < header.bins);
            for (i, rest) in bins.map(|(i, count)| (i, count.saturating_sub(written))) {
                more |= rest > FULL;
                self.buffer.zeros(2 * u64::from(i.saturating_sub(next)))?;
                self.buffer.u16(rest.min(FULL) as u16)?;
                next = i + 1;
            }
            self.buffer.zeros(2 * u64::from(header.bins - next))?;
            written += FULL;
            if !more {
                return Ok(());
            }
        }
    }

    fn histogram_header(&mut self, header: &HistogramHeader) -> Result<(), S::Error> {
        let buffer = &mut self.buffer;
        buffer.put(&[HISTOGRAM_TAG])?;
        buffer.word(header.low_pc.0)?;
        buffer.word(header.high_pc.0)?;
        buffer.u32(header.bins)?;
        buffer.u32(header.rate)?;
        buffer.put(&header.dimension)?;
        buffer.put(&[header.abbreviation])
    }

    /// Writes an arc with a count of any width: one record for each 2^32 - 1 calls or part of it.
    /// A count of zero still writes its record.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn arc(&mut self, arc: Arc) -> Result<(), S::Error> {
        let buffer = &mut self.buffer;
        for part in parts(arc.count, u32::MAX.into()) {
            buffer.put(&[ARC_TAG])?;
            buffer.word(arc.from_pc.0.0)?;
            buffer.word(arc.self_pc.0.0)?;
            buffer.u32(part as u32)?;
        }
        Ok(())
    }

    /// Writes a basic-block record, or several if there are more than 2^32 - 1 blocks. Where a
    /// 32-bit target has no room for a count, its block is written several times.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn blocks(&mut self, blocks: impl Iterator<Item = Block> + Clone) -> Result<(), S::Error> {
        let buffer = &mut self.buffer;
        let most = buffer.encoding().word.largest();
        let mut blocks =
            blocks.flat_map(|block| parts(block.count, most).map(move |part| (block.pc, part)));
        loop {
            let count = blocks.clone().take(u32::MAX as usize).count();
            buffer.put(&[BLOCKS_TAG])?;
            buffer.u32(count as u32)?;
            for (pc, count) in blocks.by_ref().take(count) {
                buffer.word(pc.0)?;
                buffer.word(count)?;
            }
            if count < u32::MAX as usize {
                return Ok(());
            }
        }
    }

    /// Hands the last bytes to the sink and returns it.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn finish(self) -> Result<S, S::Error> {
        self.buffer.finish()
    }
}
