//! Reading the GNU format.

use super::Cursor;
use crate::{Encoding, Error, ErrorKind, Record, header};

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
    /// Start of the record that is read.
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
                Record::take(tag, self.version, &mut self.cursor).map(|(record, error)| {
                    self.error = error;
                    record
                })
            }
        };
        self.is_over = record.is_err();
        Some(record.map_err(|kind| Error { kind, offset: self.start }))
    }
}
