//! Reads data files.

use std::io::{self, Read};
use std::num::NonZero;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc as Shared;

use gmon_format::live::{Header, Live, LiveError};
use gmon_format::{Accepted, DataFile, Encoding, FilePc};

use super::bb_out::{BbOut, TooLarge};
use super::full::FullRecords;
use super::live;
use super::parallel;
use super::total::Records;
use super::watch::{FileSummary, Watch};
use crate::error::{Conflict, Error, ErrorKind};
use crate::files::Input;
use crate::image::{Entries, Image};

/// Facts about the data files to be read.
#[derive(Clone, Debug)]
pub struct Loader {
    pub(super) encoding: Encoding,
    accepted: Accepted,
    /// The program's code; none if there is no program to ask.
    code: Option<Vec<Range<FilePc>>>,
    /// Build id of the program, if data of another build is refused; empty if it has none.
    build_id: Option<Vec<u8>>,
    /// Places where the program's calls can be counted; none if anything is taken.
    entries: Option<Entries>,
    /// A process may not be in two full profiles.
    each_once: bool,
    /// Number of files read at once; none for one on each processor.
    threads: Option<NonZero<usize>>,
}

/// Reads and sums the data files at `paths`, written by the program `image`.
///
/// # Errors
/// If a file cannot be read, breaks the format, or contradicts one before it.
pub fn load(paths: &[impl AsRef<Path>], image: &Image) -> Result<Records, Error> {
    Loader::for_program(image).load(paths, &mut ())
}

impl Loader {
    /// Reads files of a program of which only the encoding is known.
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        Self {
            encoding,
            accepted: Accepted::Any,
            code: None,
            build_id: None,
            entries: None,
            each_once: false,
            threads: None,
        }
    }

    /// Reads files that `image` wrote, and notes which of them it cannot have written.
    #[must_use]
    pub fn for_program(image: &Image) -> Self {
        let build_id = Some(image.build_id().unwrap_or_default().to_vec());
        Self { code: Some(image.code().to_vec()), build_id, ..Self::new(image.encoding()) }
    }

    /// Takes full profiles of any build for those of the program.
    #[must_use]
    pub fn any_build(self) -> Self {
        Self { build_id: None, ..self }
    }

    /// Notes, too, which files `image` cannot have written though they meet its code: their ranges reach over it, or
    /// most of their calls enter no function.
    #[must_use]
    pub fn suspicious(self, image: &Shared<Image>) -> Self {
        Self { entries: Entries::of(image), ..self }
    }

    /// Refuses full profiles of a process that was added already.
    #[must_use]
    pub fn each_once(self) -> Self {
        Self { each_once: true, ..self }
    }

    /// Restricts the formats. Unless any is accepted, neither live files nor texts are.
    #[must_use]
    pub fn accept(self, accepted: Accepted) -> Self {
        Self { accepted, ..self }
    }

    /// Sets how many files are read at once at most; normally one on each processor.
    #[must_use]
    pub fn threads(self, threads: NonZero<usize>) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// Reads and sums the files at `paths`, of which `-` is the standard input. The sum and the
    /// error are those of reading one after the other.
    ///
    /// # Errors
    /// If a file cannot be read, breaks the format, or contradicts one before it.
    pub fn load(
        &self,
        paths: &[impl AsRef<Path>],
        watch: &mut impl Watch,
    ) -> Result<Records, Error> {
        let paths: Vec<&Path> = paths.iter().map(AsRef::as_ref).collect();
        if let Some(records) = parallel::load(self, &paths, self.threads, watch) {
            return Ok(records);
        }
        let mut records = Records::default();
        let mut bytes = Vec::new();
        for (path, number) in paths.iter().zip(1..) {
            let had_blocks = !records.blocks().is_empty();
            let summary = self.add(path, &mut bytes, &mut records);
            if !had_blocks && !records.blocks().is_empty() {
                watch.blocks();
            }
            watch.file(path, &summary.map_err(|kind| Error::new(path, kind))?);
            watch.progress(number, paths.len());
        }
        Ok(records)
    }

    /// Adds a file that is in memory already; `path` is only its name.
    ///
    /// # Errors
    /// Those of [`load`](Self::load).
    pub fn add_bytes(
        &self,
        path: &Path,
        bytes: &[u8],
        records: &mut Records,
    ) -> Result<FileSummary, Error> {
        records.add_file(path, bytes, self).map_err(|kind| Error::new(path, kind))
    }

    /// Adds a file. What `bytes` holds does not matter; it only saves the allocation of a buffer.
    pub(super) fn add(
        &self,
        path: &Path,
        bytes: &mut Vec<u8>,
        records: &mut Records,
    ) -> Result<FileSummary, ErrorKind> {
        bytes.clear();
        if path == Path::new("-") {
            self.read(io::stdin().lock(), u64::MAX, bytes)?;
        } else {
            let file = Input::open(path).map_err(ErrorKind::Unreadable)?;
            let size = file.size();
            self.read(file, size, bytes)?;
        }
        records.add_file(path, bytes, self)
    }

    /// Reads a whole file of `size` bytes at most, unless its first bytes show that it is not a data file:
    /// then there may be no end to it.
    fn read(&self, mut file: impl Read, size: u64, bytes: &mut Vec<u8>) -> Result<(), ErrorKind> {
        let start = file.by_ref().take(LONGEST_HEADER).read_to_end(bytes);
        match start {
            // What any file is that has no bytes.
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => {}
            Err(error) => return Err(ErrorKind::Unreadable(error)),
            Ok(_) => {}
        }
        match self.kind(bytes) {
            Kind::Live => return live::read_rest(file, size, bytes).map(drop),
            Kind::Text => {}
            Kind::Data => {
                self.open(bytes)?;
            }
        }
        file.read_to_end(bytes).map_err(ErrorKind::Unreadable)?;
        Ok(())
    }

    /// Refuses a full profile that makes no sense together with those before it.
    pub(super) fn check_sum(&self, sum: &FullRecords, full: &FullRecords) -> Result<(), ErrorKind> {
        sum.check_clock(full)?;
        if self.each_once { sum.check_members(full) } else { Ok(()) }
    }

    /// Refuses a file whose program has another build id than the one that it is read for.
    pub(super) fn check_build(&self, live: &Live<'_>) -> Result<(), ErrorKind> {
        let Some(expected) = &self.build_id else { return Ok(()) };
        let text = &live.header().placement.text;
        let program = live.modules().find(|module| module.contains(text.start));
        let found = program.map_or(&b""[..], |program| program.build_id);
        if !found.is_empty() && !(expected.starts_with(found)) {
            let (found, expected) = (found.to_vec(), expected.clone());
            return Err(ErrorKind::OtherBuild { found, expected });
        }
        Ok(())
    }

    /// Kind of a file with these first bytes.
    pub(super) fn kind(&self, start: &[u8]) -> Kind {
        match self.accepted {
            Accepted::Any if Header::begins(start) => Kind::Live,
            Accepted::Any if BbOut::begins(start) => Kind::Text,
            _ => Kind::Data,
        }
    }

    /// Reads the header of a data file, or of the first bytes of one.
    pub(super) fn open<'a>(&self, bytes: &'a [u8]) -> Result<DataFile<'a>, ErrorKind> {
        let file = DataFile::open(bytes, self.encoding, self.accepted)?;
        if let (DataFile::Bsd(bsd), Accepted::Any) = (&file, self.accepted) {
            let header = bsd.header();
            // Nothing else speaks for the old format.
            let is_told = header.rate.is_some() || header.bins == 0;
            if !is_told && !self.has_code_in(header.low_pc, header.high_pc) {
                return Err(ErrorKind::NoData);
            }
        }
        Ok(file)
    }

    /// Tells if a range that meets the code can be the program's: it does not reach over the end.
    pub(super) fn can_be_range(&self, high_pc: FilePc) -> bool {
        /// Runtimes round the ends of ranges, in bytes.
        const ROUNDING: u64 = 4096;
        let end = self.entries.as_ref().map(Entries::mapped_end);
        end.is_none_or(|end| high_pc <= end.saturating_add(ROUNDING))
    }

    /// Returns `true` of an address behind the program's code, on its last page. Nothing else can be there.
    pub(super) fn is_just_behind(&self, pc: FilePc) -> bool {
        const PAGE: u64 = 4096;
        let end = self.entries.as_ref().map_or(0, |entries| entries.mapped_end().0);
        pc.0 >= end && end.checked_sub(1).is_some_and(|last| last / PAGE == pc.0 / PAGE)
    }

    /// Tells if a counted call of the program can have entered a function here.
    pub(super) fn can_be_entry(&self, pc: FilePc) -> bool {
        self.entries.as_ref().is_none_or(|entries| entries.can_be(pc))
    }

    /// Returns `true` if the program has code there, as far as that is known. An empty range has a
    /// place.
    pub(super) fn has_code_in(&self, low_pc: FilePc, high_pc: FilePc) -> bool {
        let high_pc = high_pc.max(low_pc.saturating_add(1));
        let meets = |code: &Range<FilePc>| code.start < high_pc && low_pc < code.end;
        self.code.as_ref().is_none_or(|code| code.iter().any(meets))
    }
}

/// No header of a data file is longer, in bytes.
const LONGEST_HEADER: u64 = 64;

/// Kinds that can be read where nothing else is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A data file of GNU or BSD, or nothing that can be read.
    Data,
    /// The file of a live profile.
    Live,
    /// `bb.out`.
    Text,
}

impl From<gmon_format::Error> for ErrorKind {
    fn from(error: gmon_format::Error) -> Self {
        Self::Data(error)
    }
}

impl From<LiveError> for ErrorKind {
    fn from(error: LiveError) -> Self {
        Self::Live(error)
    }
}

impl From<TooLarge> for ErrorKind {
    fn from(error: TooLarge) -> Self {
        Self::TooLarge { line: error.line }
    }
}

impl From<Conflict> for ErrorKind {
    fn from(conflict: Conflict) -> Self {
        Self::Conflict(conflict)
    }
}
