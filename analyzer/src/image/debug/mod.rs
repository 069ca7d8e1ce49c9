//! Location of a program's debug information: in the program, or in files that were split off it.

mod file;
mod sections;
mod separate;
mod split;
mod unpack;

pub(super) use file::DebugInfo;
pub(super) use separate::DebugPlaces;
pub(super) use split::SplitUnits;

/// Bytes of a DWARF section.
pub(super) type Slice<'a> = gimli::EndianSlice<'a, gimli::RunTimeEndian>;

/// The DWARF sections of a program.
pub(super) type Dwarf<'a> = gimli::Dwarf<Slice<'a>>;

/// A unit of compilation.
pub(super) type Unit<'a> = gimli::Unit<Slice<'a>>;
