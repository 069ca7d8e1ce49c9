//! Reading the GNU format.

use super::{Cursor, CutShort};
use crate::blocks::Layout;
use crate::record::{ARC_TAG, BLOCKS_TAG, HISTOGRAM_TAG};
use crate::{
    Arc, Bins, Blocks, Encoding, Error, ErrorKind, FilePc, Histogram, HistogramHeader, Record,
    header,
};

/// The records of one GNU `gmon.out`, in file order.
///
/// Iteration ends after the last record or after the first error. A histogram whose bins the end of
/// the file cuts short is given with those that are there; the error follows it.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    cursor: Cursor<'a>,
    version: u32,
    /// Why the record after the one given last cannot be read.
    error: Option<ErrorKind>,
    /// Where the record that is read starts.
    start: usize,
    is_over: bool,
}

impl<'a> Records<'a> {
    /// Checks the header of `bytes`, a whole file written by a program of the given `encoding`.
    ///
    /// # Errors
    /// [`ErrorKind::TooShort`], [`ErrorKind::BadMagic`] or [`ErrorKind::UnsupportedVersion`].
    pub fn new(bytes: &'a [u8], encoding: Encoding) -> Result<Self, Error> {
        let error = |kind, offset| Error { kind, offset };
        let mut cursor = Cursor::new(bytes, encoding);
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
        Ok(Self { cursor, version, error: None, start: header::LEN, is_over: false })
    }

    /// The version the header states: 0 or 1.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    fn record(&mut self, tag: u8) -> Result<Record<'a>, ErrorKind> {
        match tag {
            HISTOGRAM_TAG => {
                self.histogram().ok_or(ErrorKind::UnexpectedEnd).map(Record::Histogram)
            }
            ARC_TAG => self.arc().ok_or(ErrorKind::UnexpectedEnd).map(Record::Arc),
            BLOCKS_TAG => self.blocks().map(Record::Blocks),
            _ => Err(ErrorKind::BadTag(tag)),
        }
    }

    fn histogram(&mut self) -> Option<Histogram<'a>> {
        let cursor = &mut self.cursor;
        let header = HistogramHeader {
            low_pc: FilePc(cursor.word()?),
            high_pc: FilePc(cursor.word()?),
            bins: cursor.u32()?,
            rate: cursor.u32()?,
            dimension: cursor.array()?,
            abbreviation: cursor.u8()?,
        };
        let (bins, cut) = Bins::take(cursor, header.bins);
        self.error =
            cut.map(|CutShort(read)| ErrorKind::BinsCutShort { read, announced: header.bins });
        Some(Histogram { header, bins })
    }

    fn arc(&mut self) -> Option<Arc> {
        let cursor = &mut self.cursor;
        Some(Arc::new(cursor.word()?, cursor.word()?, cursor.u32()?.into()))
    }

    fn blocks(&mut self) -> Result<Blocks<'a>, ErrorKind> {
        let announced = self.cursor.u32().ok_or(ErrorKind::UnexpectedEnd)?;
        let layout = if self.version == 0 { Layout::Described } else { Layout::Pair };
        Blocks::take(&mut self.cursor, announced, layout)
            .map_err(|CutShort(read)| ErrorKind::BlocksCutShort { read, announced })
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let record = match self.error {
            Some(kind) => Err(kind),
            None => {
                self.start = self.cursor.offset();
                let tag = self.cursor.u8()?;
                self.record(tag)
            }
        };
        self.is_over = record.is_err();
        Some(record.map_err(|kind| Error { kind, offset: self.start }))
    }
}
