//! Telling the formats apart.

use super::{BsdFile, Records};
use crate::{BsdHeader, Encoding, Error, header};

/// A data file of any format.
#[derive(Clone, Debug)]
pub enum DataFile<'a> {
    /// The GNU format.
    Gnu(Records<'a>),
    /// BSD's or 4.4BSD's.
    Bsd(BsdFile<'a>),
}

/// The formats that a file may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Accepted {
    /// GNU if the file begins with `gmon`, else either of BSD's.
    #[default]
    Any,
    /// GNU only.
    Gnu,
    /// Either of BSD's, even if the file begins with `gmon`.
    Bsd,
    /// Only 4.4BSD's.
    Bsd44,
}

impl<'a> DataFile<'a> {
    /// Finds out the format of `bytes`, a whole file written by a program of the given `encoding`,
    /// and reads its header.
    ///
    /// # Errors
    /// Those of [`Records::new`] and [`BsdFile::new`], and
    /// [`ErrorKind::BadMagic`](crate::ErrorKind::BadMagic) for a file without the header of 4.4BSD
    /// where nothing else is accepted.
    pub fn open(bytes: &'a [u8], encoding: Encoding, accepted: Accepted) -> Result<Self, Error> {
        match accepted {
            Accepted::Any if bytes.starts_with(&header::MAGIC) => Self::gnu(bytes, encoding),
            Accepted::Gnu => Self::gnu(bytes, encoding),
            Accepted::Any | Accepted::Bsd => BsdFile::new(bytes, encoding).map(Self::Bsd),
            Accepted::Bsd44 => {
                let is_new = |header: &BsdHeader| header.rate.is_some();
                BsdFile::read(bytes, encoding, is_new).map(Self::Bsd)
            }
        }
    }

    fn gnu(bytes: &'a [u8], encoding: Encoding) -> Result<Self, Error> {
        Records::new(bytes, encoding).map(Self::Gnu)
    }
}
