//! A symbol of an ELF file, and what its address refers to.

use gmon_format::FilePc;
use object::{Architecture, Object, ObjectSection, ObjectSymbol, SymbolFlags, SymbolSection, elf};

use super::elf::is_code;

/// A symbol of the image's `.symtab`, not yet judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElfSymbol<'image> {
    /// Name without its terminating NUL.
    pub(crate) name: &'image [u8],
    /// Address in the program before it is relocated.
    pub(crate) address: FilePc,
    /// The number of bytes from there; 0 if it is not known.
    pub(crate) size: u64,
    /// True if only its own module can see it.
    pub(crate) is_hidden: bool,
    /// Visibility.
    pub(crate) binding: elf::SymbolBind,
    /// Kind of thing named.
    pub(crate) kind: elf::SymbolType,
    /// Referent of its address.
    pub(crate) place: SymbolPlace,
    /// True if it is not in the symbol table, but its descriptor is.
    pub(crate) is_described: bool,
}

/// Referent of a symbol's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SymbolPlace {
    /// Nothing: another file defines it.
    Undefined,
    /// A common block that the linker has not placed.
    Common,
    /// No section.
    Absolute,
    /// The section `.text`.
    Text,
    /// Another section of instructions.
    Code,
    /// The section `.opd`.
    Descriptors,
    /// Another section.
    Data,
}

impl SymbolPlace {
    /// Returns `true` if there are instructions.
    pub(crate) fn is_code(self) -> bool {
        matches!(self, Self::Text | Self::Code)
    }
}

/// Facts about symbols from their sections.
pub(super) struct Sections {
    /// Kind and address of each section, by its number, so that a symbol costs no search.
    places: Vec<Option<(SymbolPlace, u64)>>,
    /// True if symbols' addresses count from the start of their section.
    relocatable: bool,
    /// True if the lowest bit of a function's address says that its code is in the short form (Thumb,
    /// MIPS16, microMIPS) and is not part of it.
    compact: bool,
}

impl Sections {
    pub(super) fn new(file: &object::File<'_>) -> Self {
        let mut places = Vec::new();
        for section in file.sections() {
            let index = section.index().0;
            places.resize(places.len().max(index + 1), None);
            let place = match (is_code(&section), section.name()) {
                (true, Ok(".text")) => SymbolPlace::Text,
                (true, _) => SymbolPlace::Code,
                (false, Ok(".opd")) => SymbolPlace::Descriptors,
                (false, _) => SymbolPlace::Data,
            };
            places[index] = Some((place, section.address()));
        }
        Self {
            places,
            relocatable: file.kind() == object::ObjectKind::Relocatable,
            compact: matches!(
                file.architecture(),
                Architecture::Arm | Architecture::Mips | Architecture::Mips64
            ),
        }
    }

    /// The symbol as the rest of the analyzer knows it.
    pub(super) fn resolve<'image>(
        &self,
        symbol: &object::Symbol<'image, '_>,
    ) -> Option<ElfSymbol<'image>> {
        let SymbolFlags::Elf { st_info, st_other, .. } = symbol.flags() else { return None };
        let (place, base) = match symbol.section() {
            SymbolSection::Undefined => (SymbolPlace::Undefined, 0),
            SymbolSection::Common => (SymbolPlace::Common, 0),
            SymbolSection::Section(index) => {
                self.places.get(index.0).copied().flatten().unwrap_or((SymbolPlace::Absolute, 0))
            }
            _ => (SymbolPlace::Absolute, 0),
        };
        let mut address = symbol.address();
        if self.relocatable {
            address = address.wrapping_add(base);
        }
        if self.compact && st_info.st_type() == elf::STT_FUNC {
            address &= !1;
        }
        Some(ElfSymbol {
            name: symbol.name_bytes().unwrap_or_default(),
            address: FilePc(address),
            size: symbol.size(),
            is_hidden: st_other.visibility() == elf::STV_HIDDEN,
            binding: st_info.st_bind(),
            kind: st_info.st_type(),
            place,
            is_described: false,
        })
    }
}
