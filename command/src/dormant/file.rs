//! The file of a program with the runtime: where its code is, and which of it are hooks.

use std::collections::BTreeSet;
use std::ops::Range;

use gmon_analyzer::image::listed_rooms;
use gmon_format::FilePc;
use gmon_format::dormant::{
    Code, DISTANCE_AT, EXIT_DISTANCE_AT, Exits, LONGEST, NOTE_LEN, NOTE_OWNER, NOTE_TYPE, Processor,
};
use object::Endianness;
use object::elf::{self, FileHeader64, ProgramHeader64};
use object::read::elf::{FileHeader, ProgramHeader, SectionTable, Sym, SymbolTable};

type Elf = FileHeader64<Endianness>;

/// A program linked with the runtime, for a processor on which hooks can sleep.
pub(super) struct ProgramFile<'d> {
    pub(super) processor: &'static Processor,
    data: &'d [u8],
    endian: Endianness,
    segments: &'d [ProgramHeader64<Endianness>],
    sections: SectionTable<'d, Elf>,
    /// Offset of the first word of the runtime's note in the file.
    pub(super) note_at: usize,
    /// The address of `__fentry__`.
    pub(super) fentry: u64,
    /// The address of what exits that sleep lead to.
    exit_target: Option<u64>,
}

impl<'d> ProgramFile<'d> {
    /// `None` if it is no such program.
    pub(super) fn read(data: &'d [u8]) -> object::Result<Option<Self>> {
        // Compilers write other things, too.
        let Ok(header) = Elf::parse(data) else { return Ok(None) };
        let endian = header.endian()?;
        let machine = header.e_machine(endian);
        let Some(processor) = Processor::of_machine(machine.0) else { return Ok(None) };
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
                let note_address = segment.p_vaddr(endian) + in_segment;
                let target = |at: usize| {
                    let distance = note.desc().get(at..)?.first_chunk().copied();
                    let distance = i32::from_le_bytes(distance?);
                    let place = note_address + at as u64;
                    (distance != 0).then(|| place.wrapping_add_signed(distance.into()))
                };
                let fentry = target(DISTANCE_AT).unwrap_or_default();
                let exit_target = target(EXIT_DISTANCE_AT);
                let sections = header.sections(endian, data)?;
                return Ok(Some(Self {
                    processor,
                    data,
                    endian,
                    segments,
                    sections,
                    note_at,
                    fentry,
                    exit_target,
                }));
            }
        }
        Ok(None)
    }

    /// Returns `true` if it was built with `--dormant`.
    pub(super) fn is_dormant(&self) -> bool {
        self.data[self.note_at..].starts_with(&1u32.to_le_bytes())
    }

    /// Returns `true` if its functions call hooks at both ends: those of `-finstrument-functions`.
    pub(super) fn is_instrumented(&self) -> bool {
        let Ok(symbols) = self.symbols() else { return false };
        let is_exit = |symbol: &elf::Sym64<_>| {
            let name = symbol.name(self.endian, symbols.strings());
            name.is_ok_and(|name| name == b"__cyg_profile_func_exit")
        };
        !self.is_dormant() && symbols.iter().any(is_exit)
    }

    /// Exits that sleep or can be put to sleep: what they are on the processor, and what they lead to.
    pub(super) fn exits(&self) -> Option<(&'static Exits, u64)> {
        Some((self.processor.exits.as_ref()?, self.exit_target?))
    }

    /// The addresses of all exits that sleep or are awake, in order.
    pub(super) fn exit_places(&self) -> Vec<u64> {
        let Some((exits, target)) = self.exits() else { return Vec::new() };
        self.parts_of_code().flat_map(|(start, code)| exits.places(code, start, target)).collect()
    }

    /// The addresses at which compilers left room for exits.
    pub(super) fn exit_rooms(&self) -> Vec<u64> {
        let Some((exits, target)) = self.exits() else { return Vec::new() };
        self.parts_of_code().flat_map(|(start, code)| exits.rooms(code, start, target)).collect()
    }

    /// The program's code, each part with its address.
    fn parts_of_code(&self) -> impl Iterator<Item = (u64, &'d [u8])> {
        let (endian, data) = (self.endian, self.data);
        let parts = self.segments_of_code();
        parts.filter_map(move |part| Some((part.p_vaddr(endian), part.data(endian, data).ok()?)))
    }

    fn segments_of_code(&self) -> impl Iterator<Item = &'d ProgramHeader64<Endianness>> {
        let endian = self.endian;
        self.segments.iter().filter(move |segment| {
            segment.p_type(endian) == elf::PT_LOAD && segment.p_flags(endian).0 & elf::PF_X.0 != 0
        })
    }

    /// Offset in the file of so many bytes of code.
    pub(super) fn place(&self, address: u64, len: usize) -> Option<usize> {
        let endian = self.endian;
        self.segments_of_code().find_map(|segment| {
            let offset = address.checked_sub(segment.p_vaddr(endian))?;
            let fits = offset.checked_add(len as u64)? <= segment.p_filesz(endian);
            let place = usize::try_from(segment.p_offset(endian).checked_add(offset)?).ok()?;
            (fits && place.checked_add(len)? <= self.data.len()).then_some(place)
        })
    }

    /// Bytes of code at an address.
    fn bytes(&self, address: u64, len: usize) -> Option<&'d [u8]> {
        let place = self.place(address, len)?;
        self.data.get(place..place + len)
    }

    /// The code at an address, as much of it as a hook has.
    pub(super) fn code(&self, address: u64) -> Option<Code> {
        let bytes = self.bytes(address, self.processor.hook.len)?;
        let mut code = [0; LONGEST];
        code[..bytes.len()].copy_from_slice(bytes);
        Some(code)
    }

    /// Address of the hook of the function at an address: its start, or behind what lets indirect branches come there.
    fn hook_of(&self, function: u64) -> u64 {
        let first = self.bytes(function, 4).and_then(|bytes| bytes.first_chunk().copied());
        first.map_or(function, |first| self.processor.hook_of(function, first))
    }

    /// The address of the hook that the function at an address begins with.
    pub(super) fn hook(&self, function: u64) -> Option<u64> {
        let hook = self.hook_of(function);
        let code = self.code(hook)?;
        self.processor.hook.is_awake(&code, hook, self.fentry).map(|_| hook)
    }

    fn symbols(&self) -> object::Result<SymbolTable<'d, Elf>> {
        self.sections.symbols(self.endian, self.data, elf::SHT_SYMTAB)
    }

    /// Returns `true` if a symbol is a function of the program.
    fn is_function(&self, symbol: &elf::Sym64<Endianness>) -> bool {
        symbol.st_type() == elf::STT_FUNC && !symbol.is_undefined(self.endian)
    }

    /// Names and addresses of all functions.
    pub(super) fn functions(&self) -> object::Result<Vec<(&'d [u8], Range<u64>)>> {
        let symbols = self.symbols()?;
        let functions = symbols.iter().filter(|symbol| self.is_function(symbol));
        let named = functions.filter_map(|symbol| {
            let name = symbol.name(self.endian, symbols.strings()).ok()?;
            Some((name, self.addresses(symbol)))
        });
        Ok(named.collect())
    }

    fn addresses(&self, symbol: &elf::Sym64<Endianness>) -> Range<u64> {
        let start = symbol.st_value(self.endian);
        start..start.saturating_add(symbol.st_size(self.endian))
    }

    /// Addresses of hooks of functions that may get arguments in other registers than usual, as in those of scalable
    /// vectors, whose upper parts the runtime does not save.
    pub(super) fn unusual(&self) -> object::Result<BTreeSet<u64>> {
        /// `STO_AARCH64_VARIANT_PCS` and `STO_RISCV_VARIANT_CC`.
        const VARIANT: u8 = 0x80;
        let symbols = self.symbols()?;
        let is_meant = |symbol: &&elf::Sym64<_>| {
            self.is_function(symbol) && symbol.st_other().0 & VARIANT != 0
        };
        let hook = |symbol: &elf::Sym64<_>| self.hook_of(symbol.st_value(self.endian));
        Ok(symbols.iter().filter(is_meant).map(hook).collect())
    }

    /// The addresses at which compilers left room for hooks.
    pub(super) fn room(&self) -> object::Result<Vec<u64>> {
        Ok(listed_rooms(self.data)?.into_iter().map(|FilePc(address)| address).collect())
    }

    /// Number of functions that have a hook, and the names of those of them without an exit that sleeps.
    pub(super) fn times(&self) -> object::Result<(usize, BTreeSet<&'d [u8]>)> {
        let symbols = self.symbols()?;
        let exits = self.exit_places();
        let (mut functions, mut without) = (BTreeSet::new(), BTreeSet::new());
        for symbol in symbols.iter().filter(|symbol| self.is_function(symbol)) {
            let addresses = self.addresses(symbol);
            if self.hook(addresses.start).is_none() || !functions.insert(addresses.start) {
                continue;
            }
            if !has_exit(&exits, &addresses) {
                without.insert(symbol.name(self.endian, symbols.strings())?);
            }
        }
        Ok((functions.len(), without))
    }
}

/// Returns `true` if a function has one of the exits, which are in order.
pub(super) fn has_exit(exits: &[u64], function: &Range<u64>) -> bool {
    let first = exits.partition_point(|exit| *exit < function.start);
    exits.get(first).is_some_and(|exit| *exit < function.end)
}
