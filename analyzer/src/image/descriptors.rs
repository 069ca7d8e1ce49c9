//! Functions behind descriptors: where code needs an address for its data, too, the symbol of a
//! function is that of a descriptor in the section `.opd`, which begins with the address of the code.
//!
//! That is so in the first ABI of 64-bit PowerPC ("64-bit PowerPC ELF Application Binary Interface
//! Supplement 1.9", Function Descriptors). The symbol of the code itself, which has a dot before the
//! name, is no longer written by compilers, so the GNU tools make it up; this does it, too.

use std::collections::HashSet;

use gmon_format::FilePc;
use object::{Architecture, Object, ObjectSection, elf};

use super::elf::{is_code, range};
use super::elf_symbol::{ElfSymbol, SymbolPlace};
use super::relocations::Relocations;

/// Stands before the name of a descriptor in the name of its code.
pub(super) const PREFIX: &[u8] = b".";

/// The code that `symbols` of `file` are descriptors of, still by the names of the descriptors.
pub(super) fn code<'image>(
    file: &object::File<'image>,
    symbols: impl Iterator<Item = ElfSymbol<'image>>,
) -> Vec<ElfSymbol<'image>> {
    let has_descriptors = file.architecture() == Architecture::PowerPc64;
    let Some(section) = file.section_by_name(".opd").filter(|_| has_descriptors) else {
        return Vec::new();
    };
    let symbols: Vec<_> = symbols.collect();
    let mut bytes = section.data().unwrap_or_default().to_vec();
    if let Some(relocations) = Relocations::of(file) {
        relocations.apply(&section, &mut bytes);
    }
    let code_of = |descriptor: &ElfSymbol<'_>| {
        let offset =
            usize::try_from(descriptor.address.checked_distance(FilePc(section.address()))?)
                .ok()?;
        let &address = bytes.get(offset..)?.first_chunk()?;
        let is_little = file.is_little_endian();
        let read = if is_little { u64::from_le_bytes } else { u64::from_be_bytes };
        Some(FilePc(read(address)))
    };
    let is_name = |symbol: &&ElfSymbol<'_>| {
        !matches!(symbol.kind, elf::STT_SECTION | elf::STT_FILE | elf::STT_TLS)
    };
    // Of several names the one is taken that need not give way to others.
    let descriptors = symbols.iter().filter(|symbol| symbol.place == SymbolPlace::Descriptors);
    let mut descriptors: Vec<_> = descriptors.filter(is_name).collect();
    descriptors.sort_by_key(|symbol| (symbol.address, symbol.binding != elf::STB_GLOBAL));
    descriptors.dedup_by_key(|symbol| symbol.address);
    // Code that has a name of its own needs no other.
    let is_label = |symbol: &&ElfSymbol<'_>| symbol.kind != elf::STT_OBJECT;
    let in_code = symbols.iter().filter(|symbol| symbol.place.is_code());
    let named: HashSet<FilePc> =
        in_code.filter(is_name).filter(is_label).map(|symbol| symbol.address).collect();
    let sections: Vec<_> = file
        .sections()
        .filter(is_code)
        .map(|section| {
            let is_text = section.name() == Ok(".text");
            (range(&section), if is_text { SymbolPlace::Text } else { SymbolPlace::Code })
        })
        .collect();
    let code = |descriptor: &ElfSymbol<'image>| {
        let address = code_of(descriptor).filter(|address| !named.contains(address))?;
        let &(_, place) = sections.iter().find(|(range, _)| range.contains(&address))?;
        Some(ElfSymbol { address, place, is_described: true, ..*descriptor })
    };
    descriptors.into_iter().filter_map(code).collect()
}
