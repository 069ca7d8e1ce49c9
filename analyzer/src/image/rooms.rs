//! Room that compilers leave at the start of functions for hooks that sleep (`-fpatchable-function-entry`).

use gmon_format::FilePc;
use gmon_format::dormant::{Processor, SECTION};
use object::read::elf::{ElfFile64, FileHeader, SectionHeader};
use object::{Endianness, Object, ObjectSection, SectionKind, elf};

/// Room that compilers left in a program for a processor of 64 bits, in the order in which its file lists it.
///
/// # Errors
/// If the file is damaged.
pub fn listed_rooms(bytes: &[u8]) -> object::Result<Vec<FilePc>> {
    const WORD: usize = 8;
    let header = elf::FileHeader64::<Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, bytes)?;
    let Some((_, list)) = sections.section_by_name(endian, SECTION.as_bytes()) else {
        return Ok(Vec::new());
    };
    let words = list.data(endian, bytes)?.chunks_exact(WORD);
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
    let mut rooms: Vec<FilePc> = words.map(|bytes| FilePc(word(bytes))).collect();
    // In programs that can be loaded anywhere, the loader fills the list in. What the linker has done, and only kept a note of
    // (`--emit-relocs`), counts from symbols.
    let is_loaded =
        |section: &&elf::SectionHeader64<_>| section.sh_flags(endian).0 & elf::SHF_ALLOC.0 != 0;
    for section in sections.iter().filter(is_loaded) {
        let Some((relocations, _)) = section.rela(endian, bytes)? else { continue };
        for relocation in relocations {
            let offset = relocation.r_offset.get(endian).wrapping_sub(list.sh_addr(endian));
            if offset % WORD as u64 != 0 {
                continue;
            }
            let index = usize::try_from(offset / WORD as u64).unwrap_or(usize::MAX);
            if let Some(room) = rooms.get_mut(index) {
                *room = FilePc(relocation.r_addend.get(endian) as u64);
            }
        }
    }
    Ok(rooms)
}

/// Starts of functions that have such room, in order: with the room, or with what lets indirect branches come there.
pub(super) fn rooms(bytes: &[u8]) -> Vec<FilePc> {
    let Ok(file) = ElfFile64::<Endianness>::parse(bytes) else { return Vec::new() };
    let machine = file.elf_header().e_machine.get(file.endian()).0;
    let Some(processor) = Processor::of_machine(machine) else { return Vec::new() };
    let mut rooms = listed_rooms(bytes).unwrap_or_default();
    let sections = file.sections().filter(|section| section.kind() == SectionKind::Text);
    let code: Vec<_> =
        sections.map(|section| (section.address(), section.data().unwrap_or_default())).collect();
    for FilePc(start) in &mut rooms {
        let before = start.checked_sub(4);
        let pad =
            before.filter(|before| code_at(&code, *before).is_some_and(processor.is_landing_pad));
        *start = pad.unwrap_or(*start);
    }
    rooms.sort_unstable();
    rooms
}

/// An instruction.
fn code_at(sections: &[(u64, &[u8])], address: u64) -> Option<[u8; 4]> {
    sections.iter().find_map(|(start, bytes)| {
        let offset = usize::try_from(address.checked_sub(*start)?).ok()?;
        bytes.get(offset..)?.first_chunk().copied()
    })
}
