//! Files that a process has loaded, as far as stacks need them: where their parts lie, and how their code unwinds.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;

use gmon_unwind::{Bytes, Native, Processor, Tables, Word};
use object::elf;
use object::read::elf::{FileHeader, NoteIterator, ProgramHeader, SectionHeader, Sym};
use object::{Endianness, ReadCache};

use super::index::index;

type Address = <Native as Processor>::Word;

/// A 64-bit file.
#[derive(Debug)]
pub(super) struct Elf {
    source: Source,
    segments: Vec<Segment>,
    /// Address and length of the table that finds unwind rules.
    table: Option<(u64, u64)>,
    /// The rules, read when somebody asks.
    rules: OnceLock<Option<Rules>>,
    pub(super) entry: u64,
    pub(super) build_id: Vec<u8>,
}

/// Bytes of unwind rules with the table that finds them, and their addresses.
#[derive(Debug)]
struct Rules {
    address: u64,
    bytes: Vec<u8>,
    table: u64,
    table_len: u64,
}

/// Place of its bytes.
#[derive(Debug)]
enum Source {
    File(File),
    /// The memory of a process that has loaded it, so far above the addresses in the file.
    Memory(File, u64),
    Bytes(Vec<u8>),
}

/// A part that is loaded.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) address: u64,
    /// Bytes in memory, and those of them that the file has.
    pub(super) len: u64,
    filled: u64,
    offset: u64,
    pub(super) is_code: bool,
}

/// Samples come from 64-bit programs only.
type Header = elf::FileHeader64<Endianness>;

/// Bytes that have the headers of every usual file.
const START: usize = 4096;

/// No more is read at once.
const LONGEST: u64 = 1 << 30;

/// Segments begin where pages do.
pub(super) const PAGE: u64 = 4096;

impl Elf {
    /// Reads the headers of a file.
    pub(super) fn of_file(file: File) -> Option<Self> {
        Self::read(Source::File(file), 0)
    }

    /// Reads the headers of what a process has loaded at an address.
    pub(super) fn of_memory(memory: File, start: u64) -> Option<Self> {
        Self::read(Source::Memory(memory, start), 0).and_then(|elf| {
            // The first segment tells how far above the addresses in the file it lies.
            let first = elf.segments.first()?.address;
            let Source::Memory(memory, start) = elf.source else { return None };
            Some(Self { source: Source::Memory(memory, start.wrapping_sub(first)), ..elf })
        })
    }

    /// Reads the headers of a whole file.
    pub(super) fn of_bytes(bytes: Vec<u8>) -> Option<Self> {
        Self::read(Source::Bytes(bytes), 0)
    }

    fn read(source: Source, at: u64) -> Option<Self> {
        let mut start = vec![0; START];
        let len = source.read_some(&mut start, at).ok()?;
        start.truncate(len);
        let header = Header::parse(&*start).ok()?;
        let endian = header.endian().ok()?;
        let is_ours = (endian == Endianness::Big) == Native::IS_BIG_ENDIAN;
        let programs = header.program_headers(endian, &*start).ok().filter(|_| is_ours)?;
        let mut elf = Self {
            source,
            segments: Vec::new(),
            table: None,
            rules: OnceLock::new(),
            entry: header.e_entry(endian),
            build_id: Vec::new(),
        };
        for program in programs {
            let (address, len) = (program.p_vaddr(endian), program.p_memsz(endian));
            match program.p_type(endian) {
                elf::PT_LOAD => elf.segments.push(Segment {
                    address,
                    len,
                    filled: program.p_filesz(endian).min(len),
                    offset: program.p_offset(endian),
                    is_code: program.p_flags(endian).0 & elf::PF_X.0 != 0,
                }),
                elf::PT_GNU_EH_FRAME | elf::PT_ARM_EXIDX => elf.table = Some((address, len)),
                _ => {}
            }
        }
        elf.segments.sort_unstable_by_key(|segment| segment.address);
        let notes = programs.iter().filter(|program| program.p_type(endian) == elf::PT_NOTE);
        elf.build_id =
            notes.filter_map(|program| elf.build_id_in(program, endian)).next().unwrap_or_default();
        (!elf.segments.is_empty()).then_some(elf)
    }

    fn build_id_in(
        &self,
        program: &<Header as FileHeader>::ProgramHeader,
        endian: Endianness,
    ) -> Option<Vec<u8>> {
        const MOST: u64 = 4096;
        let len = usize::try_from(program.p_filesz(endian).min(MOST)).ok()?;
        let mut bytes = vec![0; len];
        let (address, offset) = (program.p_vaddr(endian), program.p_offset(endian));
        self.source.read(&mut bytes, address, offset).ok()?;
        let mut notes =
            NoteIterator::<Header>::new(endian, program.p_align(endian), &bytes).ok()?;
        while let Ok(Some(note)) = notes.next() {
            if note.name() == elf::ELF_NOTE_GNU && note.n_type(endian) == elf::NT_GNU_BUILD_ID {
                return Some(note.desc().to_vec());
            }
        }
        None
    }

    /// Visits the symbols of a table that the file defines, each with its address and its size; `None` if there is no such table.
    pub(super) fn symbols(
        &self,
        table: elf::SectionType,
        mut visit: impl FnMut(&[u8], u64, u64),
    ) -> Option<()> {
        let Source::File(file) = &self.source else { return None };
        let file = ReadCache::new(file.try_clone().ok()?);
        let header = Header::parse(&file).ok()?;
        let endian = header.endian().ok()?;
        let symbols = header.sections(endian, &file).ok()?.symbols(endian, &file, table).ok()?;
        for symbol in symbols.iter().filter(|symbol| !symbol.is_undefined(endian)) {
            let name = symbol.name(endian, symbols.strings()).unwrap_or_default();
            visit(name, symbol.st_value(endian), symbol.st_size(endian));
        }
        (!symbols.is_empty()).then_some(())
    }

    /// The distance from addresses in the file up to those where a part that begins at this offset is mapped.
    pub(super) fn bias(&self, address: u64, offset: u64) -> Option<u64> {
        let segments = self.segments.iter().filter(|segment| {
            let start = segment.offset - segment.offset % PAGE;
            (start..segment.offset + segment.filled.max(1)).contains(&offset)
        });
        // Where two share a page, code is meant.
        let segment = segments.max_by_key(|segment| segment.is_code)?;
        let in_file = segment.address.wrapping_add(offset).wrapping_sub(segment.offset);
        Some(address.wrapping_sub(in_file))
    }

    /// The lowest and the highest address of it in its file.
    pub(super) fn extent(&self) -> std::ops::Range<u64> {
        let start = self.segments.first().map_or(0, |segment| segment.address);
        let ends = self.segments.iter().map(|segment| segment.address.saturating_add(segment.len));
        start - start % PAGE..ends.max().unwrap_or(start)
    }

    /// The addresses of its code.
    pub(super) fn code(&self) -> std::ops::Range<u64> {
        let code = || self.segments.iter().filter(|segment| segment.is_code);
        let start = code().map(|segment| segment.address).min().unwrap_or(0);
        let end = code().map(|segment| segment.address.saturating_add(segment.len)).max();
        start..end.unwrap_or(start)
    }

    /// The unwind rules, where they lie in a process.
    pub(super) fn tables(&self, bias: u64) -> Option<Tables<'_, Native>> {
        let placed = |address: u64| Address::of(address.wrapping_add(bias));
        let read = || match self.table {
            Some((table, len)) => self.read_rules(table, len),
            None => self.make_table(),
        };
        let rules = self.rules.get_or_init(read).as_ref()?;
        Some(Tables {
            segment: Bytes::of(placed(rules.address), &rules.bytes),
            header: placed(rules.table),
            header_len: usize::try_from(rules.table_len).ok()?,
        })
    }

    /// Reads the rules of a table, and what lies between them and the end of their segment.
    fn read_rules(&self, table: u64, table_len: u64) -> Option<Rules> {
        /// Version and encodings of a table whose first word leads to the rules from where it stands.
        const USUAL: [u8; 2] = [1, 0x1b];
        let segment = self.segment_at(table)?;
        let [version, encoding, _, _, distance @ ..]: [u8; 8] = self.bytes(table)?;
        let rules = table.wrapping_add_signed(4 + i64::from(i32::from_ne_bytes(distance)));
        let is_usual = [version, encoding] == USUAL && rules > segment.address;
        let address = if is_usual { rules.min(table) } else { segment.address };
        let bytes = self.read_range(address..segment.address + segment.filled)?;
        Some(Rules { address, bytes, table, table_len })
    }

    /// Reads the rules of a file that has no table, and makes one.
    fn make_table(&self) -> Option<Rules> {
        let Source::File(file) = &self.source else { return None };
        let file = ReadCache::new(file.try_clone().ok()?);
        let header = Header::parse(&file).ok()?;
        let endian = header.endian().ok()?;
        let sections = header.sections(endian, &file).ok()?;
        let (_, section) = sections.section_by_name(endian, b".eh_frame")?;
        let (address, len): (u64, u64) = (section.sh_addr(endian), section.sh_size(endian));
        let mut bytes = self.read_range(address..address.checked_add(len)?)?;
        let table = address + len;
        let made = index(&bytes, address, table)?;
        let table_len = made.len() as u64;
        bytes.extend(made);
        Some(Rules { address, bytes, table, table_len })
    }

    /// Bytes at an address of the file.
    pub(super) fn bytes<const LEN: usize>(&self, address: u64) -> Option<[u8; LEN]> {
        let mut bytes = [0; LEN];
        self.read_at(address, &mut bytes)?;
        Some(bytes)
    }

    /// Bytes of addresses of the file.
    pub(super) fn read_range(&self, addresses: std::ops::Range<u64>) -> Option<Vec<u8>> {
        let len = addresses.end.checked_sub(addresses.start).filter(|len| *len < LONGEST)?;
        // What a file says of its length may be wrong.
        let segment = self.segment_at(addresses.start)?;
        (addresses.end <= segment.address + segment.filled).then_some(())?;
        let mut bytes = vec![0; usize::try_from(len).ok()?];
        self.read_at(addresses.start, &mut bytes)?;
        Some(bytes)
    }

    fn read_at(&self, address: u64, bytes: &mut [u8]) -> Option<()> {
        let segment = self.segment_at(address)?;
        let at = address - segment.address;
        (bytes.len() as u64 <= segment.filled - at).then_some(())?;
        self.source.read(bytes, address, segment.offset + at).ok()
    }

    fn segment_at(&self, address: u64) -> Option<&Segment> {
        self.segments.iter().find(|it| (it.address..it.address + it.filled).contains(&address))
    }
}

impl Source {
    /// Fills these bytes as far as there are any at an offset.
    fn read_some(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        let mut len = 0;
        while len < bytes.len() {
            let rest = &mut bytes[len..];
            let read = match self {
                Self::File(file) => file.read_at(rest, at + len as u64)?,
                Self::Memory(memory, start) => {
                    memory.read_at(rest, start.wrapping_add(at + len as u64))?
                }
                Self::Bytes(all) => {
                    let from = all.get(at as usize + len..).unwrap_or_default();
                    let count = from.len().min(rest.len());
                    rest[..count].copy_from_slice(&from[..count]);
                    count
                }
            };
            if read == 0 {
                break;
            }
            len += read;
        }
        Ok(len)
    }

    /// Fills these bytes with those of an address, which the file has at an offset.
    fn read(&self, bytes: &mut [u8], address: u64, offset: u64) -> io::Result<()> {
        let at = if matches!(self, Self::Memory(..)) { address } else { offset };
        let read = self.read_some(bytes, at)?;
        if read == bytes.len() { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}
