//! Writing a data file through a caller's buffer, without allocation.
//!
//! The file's fields are narrow: 16 bits for a bin, 32 bits for an arc's count. Readers add up
//! records of the same range or the same pair, so a wider value is written as several records
//! (GNU gprof sums bins in 32 bits and arcs in 64).

use crate::record::{ARC_TAG, BLOCKS_TAG, HISTOGRAM_TAG};
use crate::{Block, Encoding, HistogramHeader, WordSize, header};

/// Where the bytes of a file go.
pub trait Sink {
    /// What can go wrong.
    type Error;

    /// Takes all of `bytes`.
    ///
    /// # Errors
    /// Whatever keeps the sink from taking them; the file is then incomplete.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;
}

/// Writes one data file, record by record.
///
/// Call [`finish`](Self::finish) at the end: dropping a writer loses what its buffer holds.
#[derive(Debug)]
pub struct Writer<'b, S> {
    sink: S,
    encoding: Encoding,
    buffer: &'b mut [u8],
    used: usize,
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
        assert!(!buffer.is_empty(), "a writer needs a buffer");
        let mut writer = Self { sink, encoding, buffer, used: 0 };
        writer.put(&header::MAGIC)?;
        writer.u32(header::VERSION)?;
        writer.put(&[0; header::LEN - 8])?;
        Ok(writer)
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
                self.zeros(2 * u64::from(i.saturating_sub(next)))?;
                self.put(&self.encoding.u16_bytes(rest.min(FULL) as u16))?;
                next = i + 1;
            }
            self.zeros(2 * u64::from(header.bins - next))?;
            written += FULL;
            if !more {
                return Ok(());
            }
        }
    }

    fn histogram_header(&mut self, header: &HistogramHeader) -> Result<(), S::Error> {
        self.put(&[HISTOGRAM_TAG])?;
        self.word(header.low_pc)?;
        self.word(header.high_pc)?;
        self.u32(header.bins)?;
        self.u32(header.rate)?;
        self.put(&header.dimension)?;
        self.put(&[header.abbreviation])
    }

    /// Writes an arc with a count of any width: one record for each 2^32 - 1 calls or part of it.
    /// A count of zero still writes its record.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn arc(&mut self, from_pc: u64, self_pc: u64, count: u64) -> Result<(), S::Error> {
        let mut rest = count;
        loop {
            let part = u32::try_from(rest).unwrap_or(u32::MAX);
            self.put(&[ARC_TAG])?;
            self.word(from_pc)?;
            self.word(self_pc)?;
            self.u32(part)?;
            rest -= u64::from(part);
            if rest == 0 {
                return Ok(());
            }
        }
    }

    /// Writes a basic-block record. On a 32-bit target a count is cut to 2^32 - 1.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn blocks(&mut self, blocks: impl ExactSizeIterator<Item = Block>) -> Result<(), S::Error> {
        self.put(&[BLOCKS_TAG])?;
        self.u32(u32::try_from(blocks.len()).unwrap_or(u32::MAX))?;
        for block in blocks.take(u32::MAX as usize) {
            self.word(block.pc)?;
            self.word(block.count)?;
        }
        Ok(())
    }

    /// Hands the last bytes to the sink and returns it.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn finish(mut self) -> Result<S, S::Error> {
        self.flush()?;
        Ok(self.sink)
    }

    fn flush(&mut self) -> Result<(), S::Error> {
        let used = core::mem::take(&mut self.used);
        self.sink.write(self.buffer.get(..used).unwrap_or_default())
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), S::Error> {
        self.extend(bytes.len() as u64, bytes.iter().copied())
    }

    fn zeros(&mut self, count: u64) -> Result<(), S::Error> {
        self.extend(count, core::iter::repeat(0))
    }

    /// Writes the first `count` of `bytes`.
    fn extend(
        &mut self,
        mut count: u64,
        mut bytes: impl Iterator<Item = u8>,
    ) -> Result<(), S::Error> {
        while count > 0 {
            if self.used >= self.buffer.len() {
                self.flush()?;
            }
            // The runtime writes with this where it must not panic: no index, no unwrap.
            let free = self.buffer.get_mut(self.used..).unwrap_or_default();
            let now = usize::try_from(count).unwrap_or(usize::MAX).min(free.len());
            for (place, byte) in free.iter_mut().take(now).zip(&mut bytes) {
                *place = byte;
            }
            self.used += now;
            count -= now as u64;
        }
        Ok(())
    }

    fn u32(&mut self, value: u32) -> Result<(), S::Error> {
        self.put(&self.encoding.u32_bytes(value))
    }

    fn word(&mut self, value: u64) -> Result<(), S::Error> {
        match self.encoding.word {
            WordSize::Four => self.u32(u32::try_from(value).unwrap_or(u32::MAX)),
            WordSize::Eight => self.put(&self.encoding.u64_bytes(value)),
        }
    }
}
