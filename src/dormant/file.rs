//! The file of a program with the runtime: where its code is, and which of it are hooks.

use gmon_format::dormant::{
    DISTANCE_AT, LANDING_PAD, LEN, NOTE_LEN, NOTE_OWNER, NOTE_TYPE, SECTION, is_hook,
};
use object::Endianness;
use object::elf::{self, FileHeader64, ProgramHeader64};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, SectionTable, Sym};

type Elf = FileHeader64<Endianness>;

/// A program for x86-64, linked with the runtime.
pub(super) struct ProgramFile<'d> {
    data: &'d [u8],
    endian: Endianness,
    segments: &'d [ProgramHeader64<Endianness>],
    sections: SectionTable<'d, Elf>,
    /// Where in the file the first word of the runtime's note is.
    pub(super) note_at: usize,
    /// The address of `__fentry__`.
    pub(super) fentry: u64,
}

impl<'d> ProgramFile<'d> {
    /// `None` if it is no such program.
    pub(super) fn read(data: &'d [u8]) -> object::Result<Option<Self>> {
        // Compilers write other things, too.
        let Ok(header) = Elf::parse(data) else { return Ok(None) };
        let endian = header.endian()?;
        if header.e_machine(endian) != elf::EM_X86_64 {
            return Ok(None);
        }
        let segments = header.program_headers(endian, data)?;
        for segment in segments {
            let Some(mut notes) = segment.notes(endian, data)? else { continue };
            while let Some(note) = notes.next()? {
                let is_ours = note.name() == NOTE_OWNER && note.n_type(endian).0 == NOTE_TYPE;
                if !is_ours || note.desc().len() != NOTE_LEN {
                    continue;
                }
                let note_at = note.desc().as_ptr() as usize - data.as_ptr() as usize;
                let in_segment = note_at as u64 - segment.p_offset(endian);
                let distance_at = segment.p_vaddr(endian) + in_segment + DISTANCE_AT as u64;
                let distance = note.desc()[DISTANCE_AT..].first_chunk().copied();
                let distance = i32::from_le_bytes(distance.unwrap_or_default());
                let fentry = distance_at.wrapping_add_signed(distance.into());
                let sections = header.sections(endian, data)?;
                return Ok(Some(Self { data, endian, segments, sections, note_at, fentry }));
            }
        }
        Ok(None)
    }

    /// Whether it was built with `--dormant`.
    pub(super) fn is_dormant(&self) -> bool {
        self.data[self.note_at..].starts_with(&1u32.to_le_bytes())
    }

    /// Where in the file so many bytes of code are.
    pub(super) fn place(&self, address: u64, len: usize) -> Option<usize> {
        let endian = self.endian;
        let is_code = |segment: &&ProgramHeader64<_>| {
            segment.p_type(endian) == elf::PT_LOAD && segment.p_flags(endian).0 & elf::PF_X.0 != 0
        };
        self.segments.iter().filter(is_code).find_map(|segment| {
            let offset = address.checked_sub(segment.p_vaddr(endian))?;
            let fits = offset.checked_add(len as u64)? <= segment.p_filesz(endian);
            let place = usize::try_from(segment.p_offset(endian).checked_add(offset)?).ok()?;
            (fits && place.checked_add(len)? <= self.data.len()).then_some(place)
        })
    }

    /// The code at an address.
    pub(super) fn code<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        self.data[self.place(address, N)?..].first_chunk().copied()
    }

    /// Whether the function at an address begins with a hook.
    pub(super) fn has_hook(&self, function: u64) -> bool {
        let is_tracked = self.code(function) == Some(LANDING_PAD);
        let hook = if is_tracked { function + LANDING_PAD.len() as u64 } else { function };
        self.code::<LEN>(hook).is_some_and(|bytes| is_hook(bytes, hook, self.fentry))
    }

    /// Names and addresses of all functions.
    pub(super) fn functions(&self) -> object::Result<Vec<(&'d [u8], u64)>> {
        let endian = self.endian;
        let symbols = self.sections.symbols(endian, self.data, elf::SHT_SYMTAB)?;
        let functions = symbols
            .iter()
            .filter(|symbol| symbol.st_type() == elf::STT_FUNC && !symbol.is_undefined(endian));
        let named = functions.filter_map(|symbol| {
            let name = symbol.name(endian, symbols.strings()).ok()?;
            Some((name, symbol.st_value(endian)))
        });
        Ok(named.collect())
    }

    /// The addresses at which compilers left room for hooks.
    pub(super) fn room(&self) -> object::Result<Vec<u64>> {
        const WORD: usize = 8;
        let endian = self.endian;
        let name = SECTION.as_bytes();
        let Some((_, list)) = self.sections.section_by_name(endian, name) else {
            return Ok(Vec::new());
        };
        let words = list.data(endian, self.data)?.chunks_exact(WORD);
        let mut room: Vec<u64> =
            words.map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default())).collect();
        // In programs that can be loaded anywhere, the loader fills the list in.
        for section in self.sections.iter() {
            let Some((relocations, _)) = section.rela(endian, self.data)? else { continue };
            for relocation in relocations {
                let offset = relocation.r_offset.get(endian).wrapping_sub(list.sh_addr(endian));
                if offset % WORD as u64 != 0 {
                    continue;
                }
                let index = usize::try_from(offset / WORD as u64).unwrap_or(usize::MAX);
                if let Some(address) = room.get_mut(index) {
                    *address = relocation.r_addend.get(endian) as u64;
                }
            }
        }
        Ok(room)
    }
}
