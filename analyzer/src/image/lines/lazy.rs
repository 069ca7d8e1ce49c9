//! The source lines of a program, decoded when somebody first asks.

use std::ops::Range;

use gmon_format::FilePc;

use super::Dialect;
use super::languages::SourceNames;
use super::strings::StringId;
use super::table::{LineTable, Location};
use crate::image::Image;

/// Answers which source line made the code at an address. A report may never ask, and then nothing is
/// decoded.
#[derive(Clone, Copy, Debug)]
pub struct Lines<'image> {
    program: Option<(&'image Image, Dialect)>,
}

/// Code of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its addresses.
    pub code: Range<FilePc>,
    /// The line.
    pub location: Location,
}

static NO_LINES: LineTable = LineTable::EMPTY;

impl<'image> Lines<'image> {
    pub(in crate::image) fn new(image: &'image Image, dialect: Dialect) -> Self {
        Self { program: Some((image, dialect)) }
    }

    /// No lines at all: for symbols that are not those of the program.
    #[must_use]
    pub fn unknown() -> Self {
        Self { program: None }
    }

    /// The source line of the code at `address`, if that is known.
    #[must_use]
    pub fn locate(self, address: FilePc) -> Option<Location> {
        self.table().locate(address)
    }

    /// Returns `true` if the compiler tells parts of a line apart somewhere.
    pub(crate) fn has_discriminators(self) -> bool {
        self.table().has_discriminators()
    }

    /// The compiler's number for the code at `address` among the code of its line; 0 for the first.
    pub(crate) fn discriminator(self, address: FilePc) -> u32 {
        self.table().discriminator(address)
    }

    /// The path of a source file as the compiler recorded it.
    ///
    /// # Panics
    /// If `file` is of another program.
    #[must_use]
    pub fn path(self, file: StringId) -> &'image [u8] {
        self.table().path(file)
    }

    /// The pieces in a range of code, in the order of their addresses. Code without a line is left out.
    pub fn pieces(self, range: Range<FilePc>) -> impl Iterator<Item = Piece> + use<'image> {
        let rows = self.table().rows_in(&range);
        let ends = rows.iter().skip(1).map(|row| row.address).chain([range.end]);
        rows.iter().zip(ends).filter_map(move |(row, end)| {
            let code = row.address.max(range.start)..end.min(range.end);
            let location = row.location.filter(|_| !code.is_empty())?;
            Some(Piece { code, location })
        })
    }

    /// Facts of debug information about the names of functions.
    pub(crate) fn source_names(self) -> Option<&'image SourceNames> {
        self.program.map(|(image, _)| image.source_names())
    }

    /// Decodes them now, and not when somebody first asks.
    pub(crate) fn decode(self) {
        self.table();
    }

    pub(super) fn table(self) -> &'image LineTable {
        self.program.map_or(&NO_LINES, |(image, dialect)| image.line_table(dialect))
    }
}
