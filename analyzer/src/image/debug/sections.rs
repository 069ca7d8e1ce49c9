//! The DWARF sections of one ELF file, as they lie in it or unpacked.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Range;

use gimli::{EndianSlice, RunTimeEndian, SectionId};
use object::{Object, ObjectSection};

use super::unpack::unpack;
use super::{Dwarf, Slice};
use crate::image::relocations::Relocations;

/// DWARF sections of a file, by their names.
#[derive(Debug)]
pub(super) struct Sections(BTreeMap<&'static str, Contents>);

/// A section as it lies in the file, or apart from it if it had to be unpacked or relocated.
#[derive(Debug)]
enum Contents {
    Stored(Range<usize>),
    Own(Vec<u8>),
}

/// The sections that are read. Those of variables and macros need not even be unpacked.
const READ: [SectionId; 12] = [
    SectionId::DebugAbbrev,
    SectionId::DebugAddr,
    SectionId::DebugAranges,
    SectionId::DebugCuIndex,
    SectionId::DebugInfo,
    SectionId::DebugLine,
    SectionId::DebugLineStr,
    SectionId::DebugRanges,
    SectionId::DebugRngLists,
    SectionId::DebugStr,
    SectionId::DebugStrOffsets,
    SectionId::DebugTuIndex,
];

/// Sections of variables and types that a package of units must have where its index says so.
const PACKED: [SectionId; 3] =
    [SectionId::DebugLoc, SectionId::DebugLocLists, SectionId::DebugTypes];

impl Sections {
    /// Finds the sections of a program, and of a file that holds them instead of it.
    ///
    /// A section that is missing or damaged counts as empty, since line information only adds to a
    /// report.
    pub(super) fn of_program(file: &[u8]) -> Self {
        Self::find(file, READ.iter().map(|id| id.name()))
    }

    /// Finds the sections that a compiler kept out of a program: those of a `.dwo` or `.dwp` file.
    pub(super) fn of_split_units(file: &[u8]) -> Self {
        Self::find(file, READ.iter().chain(&PACKED).filter_map(|id| id.dwo_name()))
    }

    fn find(file: &[u8], names: impl Iterator<Item = &'static str>) -> Self {
        let Ok(elf) = object::File::parse(file) else { return Self(BTreeMap::new()) };
        let relocations = Relocations::of(&elf).map(Relocations::with_code_apart);
        let contents = |section: object::Section<'_, '_>| {
            let contents = Contents::read(&section, file.len())?;
            let Some(relocations) = &relocations else { return Some(contents) };
            let mut bytes = contents.bytes(file).to_vec();
            relocations.apply(&section, &mut bytes);
            Some(Contents::Own(bytes))
        };
        let joined = |name| {
            let mut parts: Vec<_> = sections(&elf, name).filter_map(contents).collect();
            let last = parts.pop()?;
            if parts.is_empty() {
                return Some((name, last));
            }
            parts.push(last);
            let parts: Vec<_> = parts.iter().map(|part| part.bytes(file)).collect();
            Some((name, Contents::Own(parts.concat())))
        };
        Self(names.filter_map(joined).collect())
    }

    /// Returns `true` if they describe no unit of compilation.
    pub(super) fn are_empty(&self) -> bool {
        !self.0.contains_key(SectionId::DebugInfo.name())
    }

    /// The sections of a program, ready to be read; `file` is the one that they were found in.
    pub(super) fn dwarf<'a>(&'a self, file: &'a [u8], endian: RunTimeEndian) -> Dwarf<'a> {
        let load = |id: SectionId| Ok::<_, Infallible>(self.slice(Some(id.name()), file, endian));
        let Ok(dwarf) = gimli::Dwarf::load(load);
        dwarf
    }

    /// The only unit of a `.dwo` file.
    pub(super) fn split_unit<'a>(&'a self, file: &'a [u8], endian: RunTimeEndian) -> Dwarf<'a> {
        let load = |id: SectionId| Ok::<_, Infallible>(self.slice(id.dwo_name(), file, endian));
        let Ok(dwarf) = gimli::Dwarf::load(load);
        dwarf
    }

    /// The units of a `.dwp` file; none if its index is damaged.
    pub(super) fn package<'a>(
        &'a self,
        file: &'a [u8],
        endian: RunTimeEndian,
    ) -> Option<gimli::DwarfPackage<Slice<'a>>> {
        let load = |id: SectionId| Ok::<_, gimli::Error>(self.slice(id.dwo_name(), file, endian));
        gimli::DwarfPackage::load(load, EndianSlice::new(&[], endian)).ok()
    }

    fn slice<'a>(&'a self, name: Option<&str>, file: &'a [u8], endian: RunTimeEndian) -> Slice<'a> {
        let contents = name.and_then(|name| self.0.get(name));
        EndianSlice::new(contents.map_or(&[], |contents| contents.bytes(file)), endian)
    }
}

impl Contents {
    fn read<'data>(section: &impl ObjectSection<'data>, file_len: usize) -> Option<Self> {
        let range = section.compressed_file_range().ok()?;
        if range.format == object::CompressionFormat::None {
            let start = usize::try_from(range.offset).ok()?;
            let end = start.checked_add(usize::try_from(range.uncompressed_size).ok()?)?;
            return (end <= file_len).then_some(Self::Stored(start..end));
        }
        unpack(section.compressed_data().ok()?).map(Self::Own)
    }

    fn bytes<'a>(&'a self, file: &'a [u8]) -> &'a [u8] {
        match self {
            Self::Stored(range) => file.get(range.clone()).unwrap_or_default(),
            Self::Own(bytes) => bytes,
        }
    }
}

/// The sections of a name, or of the name that the GNU tools once gave it when they compressed it. What no linker has joined has
/// one for each unit of types.
fn sections<'data, 'file>(
    elf: &'file object::File<'data>,
    name: &str,
) -> impl Iterator<Item = object::Section<'data, 'file>> {
    let is_it = move |it: &str| it == name || it.strip_prefix(".z") == name.strip_prefix('.');
    elf.sections().filter(move |section| section.name().is_ok_and(is_it))
}
