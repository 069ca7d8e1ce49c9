//! A live file that is read again and again while the program counts in it.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use gmon_format::live::{Control, Header, Live};

use crate::error::{Error, ErrorKind};

/// An open live file, and what it held when it was read last.
#[derive(Debug)]
pub struct LiveView {
    path: PathBuf,
    file: File,
    bytes: Vec<u8>,
}

impl LiveView {
    /// Takes an open file; the path is for messages.
    #[must_use]
    pub fn new(path: impl AsRef<Path>, file: File) -> Self {
        Self { path: path.as_ref().to_owned(), file, bytes: Vec::new() }
    }

    /// Reads the file as it is now.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn read(&mut self) -> Result<Live<'_>, Error> {
        self.read_but(0..0)
    }

    /// Reads the file as it is now, but for the program's bins, which stay as they were read before.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn read_but_bins(&mut self) -> Result<Live<'_>, Error> {
        let bins = Live::new(&self.bytes).ok().and_then(|live| live.bins());
        self.read_but(bins.unwrap_or_default())
    }

    fn read_but(&mut self, known: Range<usize>) -> Result<Live<'_>, Error> {
        self.fill(known).map_err(|kind| Error::new(&self.path, kind))?;
        Live::new(&self.bytes).map_err(|error| Error::new(&self.path, error.into()))
    }

    /// What the program said of itself when the file was read last.
    #[must_use]
    pub fn control(&self) -> Option<Control> {
        let header = Header::decode(&self.bytes).ok()?;
        Control::decode(&self.bytes, header.encoding)
    }

    /// The size of the file when it was read last, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Reads as much as the header announces, but for the bytes that are known. The buffer is kept: making one each time
    /// costs more than reading.
    fn fill(&mut self, known: Range<usize>) -> Result<(), ErrorKind> {
        let mut start = [0; Header::LEN];
        self.file.read_exact_at(&mut start, 0).map_err(ErrorKind::Unreadable)?;
        let header = Header::decode(&start)?;
        let size = self.file.metadata().map_err(ErrorKind::Unreadable)?.len();
        let len = usize::try_from(header.reserved.min(size)).unwrap_or(usize::MAX);
        let len = len.max(Header::LEN);
        let missing = len.saturating_sub(self.bytes.len());
        let reserved = self.bytes.try_reserve_exact(missing);
        reserved.map_err(|error| ErrorKind::Unreadable(io::Error::from(error)))?;
        self.bytes.resize(len, 0);
        // The program may have made the file larger meanwhile: what the header says now is of another size.
        let known = if known.end <= len { known } else { 0..0 };
        self.bytes[..Header::LEN].copy_from_slice(&start);
        for part in [Header::LEN..known.start, known.end.max(Header::LEN)..len] {
            let (at, part) = (part.start as u64, self.bytes.get_mut(part).unwrap_or_default());
            self.file.read_exact_at(part, at).map_err(ErrorKind::Unreadable)?;
        }
        Ok(())
    }
}
