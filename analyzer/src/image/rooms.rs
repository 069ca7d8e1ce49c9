//! Room that compilers leave at the start of functions for hooks that sleep (`-fpatchable-function-entry`).

use gmon_format::FilePc;
use gmon_format::dormant::{Processor, SECTION};
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection, SectionKind};

/// Where functions begin that have such room, in order: with the room, or with what lets indirect branches come there.
pub(super) fn rooms(bytes: &[u8]) -> Vec<FilePc> {
    let Ok(file) = ElfFile64::<Endianness>::parse(bytes) else { return Vec::new() };
    let machine = file.elf_header().e_machine.get(file.endian()).0;
    let processor = Processor::of_machine(machine);
    let Some((processor, list)) = processor.zip(file.section_by_name(SECTION)) else {
        return Vec::new();
    };
    const WORD: usize = 8;
    let words = list.data().unwrap_or_default().chunks_exact(WORD);
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
    let mut rooms: Vec<FilePc> = words.map(|bytes| FilePc(word(bytes))).collect();
    // In programs that can be loaded anywhere, the loader fills the list in.
    for (at, relocation) in file.dynamic_relocations().into_iter().flatten() {
        let offset = at.checked_sub(list.address()).map(|offset| offset as usize / WORD);
        if let Some(room) = offset.and_then(|index| rooms.get_mut(index)) {
            *room = FilePc(relocation.addend() as u64);
        }
    }
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
