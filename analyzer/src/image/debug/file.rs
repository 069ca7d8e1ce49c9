//! All files that hold debug information of one program.

use std::path::{Path, PathBuf};

use gimli::RunTimeEndian;

use super::Dwarf;
use super::sections::Sections;
use super::separate::{self, DebugPlaces};

/// The debug information of a program, in its own file or in others.
#[derive(Debug)]
pub(in crate::image) struct DebugInfo {
    own: Sections,
    /// The file that it was moved to, if the program has none itself.
    separate: Option<DebugFile>,
    /// Debug information shared with other programs, if it was moved to a file for all of them.
    supplement: Option<DebugFile>,
}

/// A file of debug information.
#[derive(Debug)]
pub(super) struct DebugFile {
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
    sections: Sections,
}

impl DebugFile {
    pub(super) fn new(path: PathBuf, bytes: Vec<u8>) -> Self {
        let sections = Sections::of_program(&bytes);
        Self { path, bytes, sections }
    }
}

impl DebugInfo {
    /// Finds the debug information of the program at `path`, which consists of `bytes`.
    pub(in crate::image) fn find(path: &Path, bytes: &[u8], places: DebugPlaces) -> Self {
        let own = Sections::of_program(bytes);
        let separate = if own.are_empty() { separate::find(path, bytes, places) } else { None };
        let (path, bytes) =
            separate.as_ref().map_or((path, bytes), |file| (&file.path, &file.bytes));
        let supplement = separate::find_supplement(path, bytes);
        Self { own, separate, supplement }
    }

    /// The bytes of the separate file.
    pub(in crate::image) fn separate_file(&self) -> Option<&[u8]> {
        self.separate.as_ref().map(|file| &file.bytes[..])
    }

    /// The sections, ready to be read; `program` are the bytes of the program's own file.
    pub(in crate::image) fn dwarf<'a>(
        &'a self,
        program: &'a [u8],
        endian: RunTimeEndian,
    ) -> Dwarf<'a> {
        let mut dwarf = match &self.separate {
            Some(file) => file.sections.dwarf(&file.bytes, endian),
            None => self.own.dwarf(program, endian),
        };
        if let Some(file) = &self.supplement {
            dwarf.set_sup(file.sections.dwarf(&file.bytes, endian));
        }
        dwarf.populate_abbreviations_cache(gimli::AbbreviationsCacheStrategy::Duplicates);
        dwarf
    }
}
