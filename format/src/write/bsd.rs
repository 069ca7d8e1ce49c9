//! Writing the formats of BSD and 4.4BSD.

use super::buffer::{Buffer, Sink, parts};
use crate::{Arc, BsdHeader, Encoding};

/// Writes one data file of BSD or 4.4BSD.
///
/// Call [`finish`](Self::finish) at the end: dropping a writer loses what its buffer holds.
#[derive(Debug)]
pub struct BsdWriter<'b, S> {
    buffer: Buffer<'b, S>,
}

impl<'b, S: Sink> BsdWriter<'b, S> {
    /// Starts a file with its header and its only histogram, whose bins have 16 bits and no second
    /// place. Those that `bins` does not give are zero.
    ///
    /// # Errors
    /// Those of the sink.
    ///
    /// # Panics
    /// If `buffer` is empty or `header.bins` is above [`BsdHeader::MOST_BINS`].
    pub fn new(
        sink: S,
        encoding: Encoding,
        buffer: &'b mut [u8],
        header: &BsdHeader,
        bins: impl Iterator<Item = u16>,
    ) -> Result<Self, S::Error> {
        assert!(header.bins <= BsdHeader::MOST_BINS, "{} bins are too many", header.bins);
        let mut buffer = Buffer::new(sink, encoding, buffer);
        buffer.word(header.low_pc.0)?;
        buffer.word(header.high_pc.0)?;
        buffer.u32(header.len(encoding.word) as u32 + 2 * header.bins)?;
        if let Some(rate) = header.rate {
            buffer.u32(BsdHeader::VERSION)?;
            buffer.u32(rate)?;
            buffer.zeros(12)?;
        }
        let bins = bins.chain(core::iter::repeat(0)).take(header.bins as usize);
        for bin in bins {
            buffer.u16(bin)?;
        }
        Ok(Self { buffer })
    }

    /// Writes an arc: where its count does not fit into the size of an address, several times.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn arc(&mut self, arc: Arc) -> Result<(), S::Error> {
        let buffer = &mut self.buffer;
        let most = buffer.encoding().word.largest();
        for part in parts(arc.count, most) {
            buffer.word(arc.from_pc.0.0)?;
            buffer.word(arc.self_pc.0.0)?;
            buffer.word(part)?;
        }
        Ok(())
    }

    /// Hands the last bytes to the sink and returns it.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn finish(self) -> Result<S, S::Error> {
        self.buffer.finish()
    }
}
