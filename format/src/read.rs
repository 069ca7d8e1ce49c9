//! Reading a data file that lies in memory, without copying it.

use crate::record::{ARC_TAG, BLOCKS_TAG, HISTOGRAM_TAG};
use crate::{
    Arc, Bins, Blocks, Encoding, Error, ErrorKind, Histogram, HistogramHeader, Record, header,
};

/// The records of one GNU `gmon.out`, in file order.
///
/// Iteration ends after the last record or after the first error.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    cursor: Cursor<'a>,
    version: u32,
    record_start: usize,
    failed: bool,
}

impl<'a> Records<'a> {
    /// Checks the header of `bytes`, a whole file written by a program of the given `encoding`.
    ///
    /// # Errors
    /// [`ErrorKind::TooShort`], [`ErrorKind::BadMagic`] or [`ErrorKind::UnsupportedVersion`].
    pub fn new(bytes: &'a [u8], encoding: Encoding) -> Result<Self, Error> {
        let error = |kind, offset| Error { kind, offset };
        let mut cursor = Cursor { rest: bytes, len: bytes.len(), encoding };
        let head: [u8; header::LEN] =
            cursor.array().ok_or(error(ErrorKind::TooShort, bytes.len()))?;
        let [m0, m1, m2, m3, v0, v1, v2, v3, ..] = head;
        if [m0, m1, m2, m3] != header::MAGIC {
            return Err(error(ErrorKind::BadMagic, 0));
        }
        let version = encoding.u32([v0, v1, v2, v3]);
        if version > header::VERSION {
            return Err(error(ErrorKind::UnsupportedVersion(version), 4));
        }
        Ok(Self { cursor, version, record_start: header::LEN, failed: false })
    }

    /// The version the header states: 0 or 1.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    fn record(&mut self, tag: u8) -> Result<Record<'a>, ErrorKind> {
        match tag {
            HISTOGRAM_TAG => self.histogram().map(Record::Histogram),
            ARC_TAG => self.arc().ok_or(ErrorKind::UnexpectedEnd).map(Record::Arc),
            BLOCKS_TAG => self.blocks().map(Record::Blocks),
            _ => Err(ErrorKind::BadTag(tag)),
        }
    }

    fn histogram(&mut self) -> Result<Histogram<'a>, ErrorKind> {
        let header = self.histogram_header().ok_or(ErrorKind::UnexpectedEnd)?;
        let bytes = self
            .cursor
            .items(header.bins, 2)
            .map_err(|read| ErrorKind::BinsCutShort { read, announced: header.bins })?;
        Ok(Histogram { header, bins: Bins { bytes, order: self.cursor.encoding.order } })
    }

    fn histogram_header(&mut self) -> Option<HistogramHeader> {
        let cursor = &mut self.cursor;
        Some(HistogramHeader {
            low_pc: cursor.word()?,
            high_pc: cursor.word()?,
            bins: cursor.u32()?,
            rate: cursor.u32()?,
            dimension: cursor.array()?,
            abbreviation: cursor.u8()?,
        })
    }

    fn arc(&mut self) -> Option<Arc> {
        let cursor = &mut self.cursor;
        Some(Arc { from_pc: cursor.word()?, self_pc: cursor.word()?, count: cursor.u32()? })
    }

    fn blocks(&mut self) -> Result<Blocks<'a>, ErrorKind> {
        let encoding = self.cursor.encoding;
        let announced = self.cursor.u32().ok_or(ErrorKind::UnexpectedEnd)?;
        let bytes = self
            .cursor
            .items(announced, 2 * encoding.word.bytes())
            .map_err(|read| ErrorKind::BlocksCutShort { read, announced })?;
        Ok(Blocks { bytes, encoding })
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        self.record_start = self.cursor.offset();
        let tag = self.cursor.u8()?;
        let record = self.record(tag);
        self.failed = record.is_err();
        Some(record.map_err(|kind| Error { kind, offset: self.record_start }))
    }
}

/// A position in the file's bytes.
#[derive(Clone, Debug)]
struct Cursor<'a> {
    rest: &'a [u8],
    len: usize,
    encoding: Encoding,
}

impl<'a> Cursor<'a> {
    fn offset(&self) -> usize {
        self.len - self.rest.len()
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*array)
    }

    fn u8(&mut self) -> Option<u8> {
        self.array().map(|[byte]: [u8; 1]| byte)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(|bytes| self.encoding.u32(bytes))
    }

    fn word(&mut self) -> Option<u64> {
        let (field, rest) = self.rest.split_at_checked(self.encoding.word.bytes())?;
        self.rest = rest;
        Some(self.encoding.word_at(field))
    }

    /// Takes `count` items of `size` bytes, or tells how many whole items there are.
    fn items(&mut self, count: u32, size: usize) -> Result<&'a [u8], u32> {
        let there = self.rest.len() / size;
        match usize::try_from(count) {
            Ok(count) if count <= there => {
                let (items, rest) = self.rest.split_at(count * size);
                self.rest = rest;
                Ok(items)
            }
            // Fewer than `count` are there, so the number fits in 32 bits.
            _ => Err(u32::try_from(there).unwrap_or(u32::MAX)),
        }
    }
}
