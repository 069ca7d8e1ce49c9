//! Writing a finished file, block by block, without allocation.

use super::{Block, Content, Form, Header};
use crate::LoadedPc;
use crate::write::{Buffer, Sink};

/// Writes a finished full profile.
#[derive(Debug)]
pub struct FullWriter<'b, S> {
    out: Buffer<'b, S>,
    header: Header,
    /// Bytes written until now.
    len: u64,
}

impl<'b, S: Sink> FullWriter<'b, S> {
    /// Begins a file by way of `buffer`. Of the header the writer itself says how large the file is and
    /// where the program's histogram is, so that its place stays free for [`finish`](Self::finish).
    ///
    /// # Errors
    /// Those of the sink.
    ///
    /// # Panics
    /// If `buffer` is empty.
    pub fn new(sink: S, header: Header, buffer: &'b mut [u8]) -> Result<Self, S::Error> {
        let mut out = Buffer::new(sink, header.encoding, buffer);
        out.put(&[0; Header::LEN])?;
        let header = Header { form: Form::Finished, histogram_at: 0, ..header };
        Ok(Self { out, header, len: Header::LEN as u64 })
    }

    /// Writes a block of `entries`, each `entry_len` bytes, and `strings` behind them. What `entries` gives
    /// beyond `count` is left out, what is missing is free.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn block<E: AsRef<[u8]>>(
        &mut self,
        content: Content,
        (count, entry_len): (u64, u32),
        entries: impl Iterator<Item = E>,
        strings: impl Iterator<Item = E> + Clone,
    ) -> Result<(), S::Error> {
        let strings_len: u64 = strings.clone().map(|string| string.as_ref().len() as u64).sum();
        let len = self.begin(content, (count, entry_len), strings_len)?;
        let size = entry_len as usize;
        let mut missing = count;
        for entry in entries.take(usize::try_from(count).unwrap_or(usize::MAX)) {
            let entry = entry.as_ref();
            let entry = entry.get(..size).unwrap_or(entry);
            self.out.put(entry)?;
            self.out.zeros((size - entry.len()) as u64)?;
            missing -= 1;
        }
        self.out.zeros(missing.saturating_mul(entry_len.into()))?;
        for string in strings {
            self.out.put(string.as_ref())?;
        }
        self.end(len)
    }

    /// Writes a histogram of `bins` bins, by those that are not zero, in ascending order.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn histogram(
        &mut self,
        (low_pc, bin_len, bins): (LoadedPc, u32, u32),
        counts: impl Iterator<Item = (u32, u64)>,
    ) -> Result<(), S::Error> {
        const BIN: u32 = 4;
        self.bins((low_pc, bin_len, bins), BIN, counts)
    }

    /// Writes a histogram whose counts need up to 64 bits.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn wide_histogram(
        &mut self,
        place: (LoadedPc, u32, u32),
        counts: impl Iterator<Item = (u32, u64)>,
    ) -> Result<(), S::Error> {
        const BIN: u32 = 8;
        self.bins(place, BIN, counts)
    }

    fn bins(
        &mut self,
        (low_pc, bin_len, bins): (LoadedPc, u32, u32),
        size: u32,
        counts: impl Iterator<Item = (u32, u64)>,
    ) -> Result<(), S::Error> {
        let content = Content::Histogram { low_pc, bin_len };
        let len = u64::from(bins) * u64::from(size);
        self.begin(content, (bins.into(), size), 0)?;
        let mut next = 0;
        for (index, count) in counts.filter(|(index, _)| *index < bins) {
            let Some(gap) = index.checked_sub(next) else { continue };
            self.out.zeros(u64::from(gap) * u64::from(size))?;
            match size {
                4 => self.out.u32(u32::try_from(count).unwrap_or(u32::MAX))?,
                _ => self.out.put(&self.header.encoding.u64_bytes(count))?,
            }
            next = index + 1;
        }
        self.out.zeros(len - u64::from(next) * u64::from(size))?;
        self.end(Block::LEN as u64 + len)
    }

    /// Writes what a block begins with, and returns how long it is.
    #[inline(never)]
    fn begin(
        &mut self,
        content: Content,
        (count, entry_len): (u64, u32),
        strings_len: u64,
    ) -> Result<u64, S::Error> {
        let entries_len = count.saturating_mul(entry_len.into());
        let block = Block {
            content,
            len: (Block::LEN as u64).saturating_add(entries_len).saturating_add(strings_len),
            entries_at: Block::LEN as u64,
            entries: count,
            entry_len,
        };
        if matches!(content, Content::Histogram { .. }) && self.header.histogram_at == 0 {
            self.header.histogram_at = self.len;
        }
        self.out.put(&block.encode(self.header.encoding))?;
        Ok(block.len)
    }

    /// Fills up what follows a block of this length.
    #[inline(never)]
    fn end(&mut self, len: u64) -> Result<(), S::Error> {
        let len = self.len.saturating_add(len);
        self.len = len.next_multiple_of(Form::Finished.alignment() as u64);
        self.out.zeros(self.len - len)
    }

    /// Ends the file and returns the sink, with the header's bytes for the start of the file.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn finish(self) -> Result<(S, [u8; Header::LEN]), S::Error> {
        let header = Header { reserved: self.len, ..self.header };
        Ok((self.out.finish()?, header.encode()))
    }
}
