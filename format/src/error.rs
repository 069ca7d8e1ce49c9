//! Faults of a data file.

use core::fmt;

/// A defect of a data file and where it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// The fault.
    pub kind: ErrorKind,
    /// Offset in bytes, from the start of the file, of the item that could not be read.
    pub offset: usize,
}

/// The kinds of defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file is shorter than its header.
    TooShort,
    /// The file has not the mark of the one format that was asked for: the bytes `gmon`, or the
    /// version of 4.4BSD.
    BadMagic,
    /// A file without `gmon` does not begin with a header of BSD either.
    BadBsdHeader,
    /// The header's version is neither 0 nor 1.
    UnsupportedVersion(u32),
    /// A record begins with a byte that stands for no kind of record.
    BadTag(u8),
    /// The file ends inside a record's fixed fields.
    UnexpectedEnd,
    /// The file ends inside the bins of a histogram record.
    BinsCutShort {
        /// Bins that are there whole.
        read: u32,
        /// Bins that the record's header announces.
        announced: u32,
    },
    /// The file ends inside the bins of a BSD file.
    BsdBinsCutShort {
        /// Bins that are there whole.
        read: u32,
        /// Bins that the header announces.
        announced: u32,
    },
    /// The file ends inside the blocks of a basic-block record.
    BlocksCutShort {
        /// Blocks that are there whole.
        read: u32,
        /// Blocks that the record announces.
        announced: u32,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ErrorKind::TooShort => write!(f, "file too short to be a gmon file"),
            ErrorKind::BadMagic => write!(f, "bad magic cookie"),
            ErrorKind::BadBsdHeader => write!(f, "not a data file of any known format"),
            ErrorKind::UnsupportedVersion(version) => write!(f, "unsupported version {version}"),
            ErrorKind::BadTag(tag) => write!(f, "bad tag {tag} at offset {}", self.offset),
            ErrorKind::UnexpectedEnd => {
                write!(f, "unexpected end of file in the record at offset {}", self.offset)
            }
            ErrorKind::BinsCutShort { read, announced }
            | ErrorKind::BsdBinsCutShort { read, announced } => {
                write!(f, "unexpected end of file after {read} of {announced} histogram bins")
            }
            ErrorKind::BlocksCutShort { read, announced } => {
                write!(f, "unexpected end of file after {read} of {announced} basic blocks")
            }
        }
    }
}

impl core::error::Error for Error {}
