//! Reads the files that live profiles lie in, also while the program runs: its counts until now.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use gmon_format::live::{Header, Live};

use super::load::Loader;
use super::memory;
use super::total::Records;
use crate::error::{Error, ErrorKind};

/// A live file that was read whole.
#[derive(Debug)]
pub struct LiveFile {
    path: PathBuf,
    header: Header,
    bytes: Vec<u8>,
}

impl LiveFile {
    /// Reads the live file at `path`. Nothing that does not begin as a live file is read any further.
    ///
    /// # Errors
    /// If it cannot be read or is not a live file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let read = || {
            let file = File::open(path)?;
            let size = file.metadata()?.len();
            Ok((file, size))
        };
        let mut bytes = Vec::new();
        let refuse = |kind| Error::new(path, kind);
        let (file, size) = read().map_err(|error| refuse(ErrorKind::Unreadable(error)))?;
        let header = read_rest(file, size, &mut bytes).map_err(refuse)?;
        Ok(Self { path: path.to_owned(), header, bytes })
    }

    /// Reads the profile in a copy of a board's memory, and whether the board had no room for calls of further arcs. None
    /// if the file has no whole profile of that kind, or is larger than any such copy.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of_memory(path: impl AsRef<Path>) -> Result<Option<(Self, bool)>, Error> {
        /// In bytes: boards that have more have systems.
        const MOST: u64 = 1 << 28;
        let path = path.as_ref();
        let refuse = |error| Error::new(path, ErrorKind::Unreadable(error));
        if path.metadata().map_err(refuse)?.len() > MOST {
            return Ok(None);
        }
        let found = memory::file_of(&std::fs::read(path).map_err(refuse)?);
        let file = found.and_then(|(bytes, is_full)| {
            let header = Header::decode(&bytes).ok()?;
            Some((Self { path: path.to_owned(), header, bytes }, is_full))
        });
        Ok(file)
    }

    /// The header of the live file at `path`, of which no more is read; none if it is no live file.
    #[must_use]
    pub fn header_of(path: &Path) -> Option<Header> {
        let mut start = Vec::new();
        File::open(path).ok()?.take(Header::LEN as u64).read_to_end(&mut start).ok()?;
        Header::decode(&start).ok()
    }

    /// The program's own account of itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Everything that the file holds.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn live(&self) -> Result<Live<'_>, Error> {
        Live::new(&self.bytes).map_err(|error| Error::new(&self.path, error.into()))
    }

    /// Counts of the program, as its data file would tell them.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn records(&self) -> Result<Records, Error> {
        let mut records = Records::default();
        let loader = Loader::new(self.header.encoding);
        loader.add_bytes(&self.path, &self.bytes, &mut records)?;
        Ok(records)
    }
}

/// Reads the rest of a file of `size` bytes whose first are in `bytes`: no more than its header announces.
pub(super) fn read_rest(
    mut file: impl Read,
    size: u64,
    bytes: &mut Vec<u8>,
) -> Result<Header, ErrorKind> {
    let missing = Header::LEN.saturating_sub(bytes.len()) as u64;
    file.by_ref().take(missing).read_to_end(bytes).map_err(ErrorKind::Unreadable)?;
    let header = Header::decode(bytes)?;
    let rest = header.reserved.saturating_sub(bytes.len() as u64);
    // A header may announce more than there is, and more than there is memory for.
    let expected = usize::try_from(rest.min(size)).unwrap_or(usize::MAX);
    bytes
        .try_reserve_exact(expected)
        .map_err(|error| ErrorKind::Unreadable(io::Error::from(error)))?;
    file.take(rest).read_to_end(bytes).map_err(ErrorKind::Unreadable)?;
    Ok(header)
}
