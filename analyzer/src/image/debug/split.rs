//! Units of compilation of which the program has but a skeleton: the rest is in a `.dwo` file of their
//! own, or in the `.dwp` file of the program.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use gimli::RunTimeEndian;

use super::sections::Sections;
use super::{Dwarf, Unit};

/// Finds what the skeletons of a program stand for.
pub(in crate::image) struct SplitUnits<'a> {
    program: &'a Path,
    endian: RunTimeEndian,
    package: Option<SplitFile>,
}

/// A `.dwo` or `.dwp` file.
struct SplitFile {
    bytes: Vec<u8>,
    sections: Sections,
}

impl<'a> SplitUnits<'a> {
    /// The split units of the program at this path.
    pub(in crate::image) fn new(program: &'a Path, endian: RunTimeEndian) -> Self {
        let mut package = program.as_os_str().to_owned();
        package.push(".dwp");
        Self { program, endian, package: SplitFile::read(Path::new(&package)) }
    }

    /// Calls `visit` with the unit that `skeleton` stands for; not if it is none, or if its file is
    /// missing.
    pub(in crate::image) fn visit(
        &self,
        dwarf: &Dwarf<'_>,
        skeleton: &Unit<'_>,
        visit: impl FnOnce(&Dwarf<'_>, Unit<'_>),
    ) {
        let Some(id) = skeleton.dwo_id else { return };
        let package = self.package.as_ref();
        let package = package.and_then(|file| file.sections.package(&file.bytes, self.endian));
        let packed = package.and_then(|package| package.find_cu(id, dwarf).ok().flatten());
        if let Some(packed) = packed {
            return visit_unit(&packed, skeleton, visit);
        }
        let paths = self.paths(dwarf, skeleton).unwrap_or_default();
        let file = paths.iter().find_map(|path| SplitFile::read(path));
        if let Some(file) = file {
            let mut split = file.sections.split_unit(&file.bytes, self.endian);
            split.make_dwo(dwarf);
            visit_unit(&split, skeleton, visit);
        }
    }

    /// Paths at which the file of a unit may be: where the compiler wrote it, or beside the
    /// program.
    fn paths(&self, dwarf: &Dwarf<'_>, skeleton: &Unit<'_>) -> Option<[PathBuf; 2]> {
        let name = dwarf.attr_string(skeleton, skeleton.dwo_name().ok()??).ok()?;
        let name = Path::new(OsStr::from_bytes(name.slice()));
        let directory = skeleton.comp_dir.as_ref().map_or(&b""[..], |directory| directory.slice());
        let beside = self.program.with_file_name(name.file_name()?);
        Some([Path::new(OsStr::from_bytes(directory)).join(name), beside])
    }
}

impl SplitFile {
    fn read(path: &Path) -> Option<Self> {
        let bytes = fs::metadata(path).is_ok_and(|file| file.is_file()).then(|| fs::read(path));
        let bytes = bytes?.ok()?;
        let sections = Sections::of_split_units(&bytes);
        Some(Self { bytes, sections })
    }
}

/// Visits the unit of a skeleton in the sections that must hold it.
fn visit_unit(split: &Dwarf<'_>, skeleton: &Unit<'_>, visit: impl FnOnce(&Dwarf<'_>, Unit<'_>)) {
    let mut headers = split.units();
    while let Ok(Some(header)) = headers.next() {
        let Ok(mut unit) = split.unit(header) else { continue };
        if unit.dwo_id == skeleton.dwo_id {
            unit.copy_relocated_attributes(skeleton);
            return visit(split, unit);
        }
    }
}
