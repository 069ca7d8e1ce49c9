//! An ELF file of any class, byte order and machine.
//!
//! The file is read whole: mapping it would need `unsafe`, because another process can cut a mapped
//! file short, and a read costs a few milliseconds even for a large program.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use gimli::RunTimeEndian;
use gmon_format::mapping::path_of_file;
use gmon_format::{ByteOrder, Encoding, FilePc, WordSize};
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol, SectionFlags, elf};

use super::debug::{DebugInfo, DebugPlaces, Dwarf, SplitUnits};
use super::descriptors;
use super::elf_symbol::{ElfSymbol, Sections, SymbolPlace};
use super::lines::{
    ChosenUnits, Declaration, Dialect, FunctionTable, LineTable, Lines, SourceNames,
    UnitsElsewhere, declarations,
};
use super::rooms::rooms;
use super::{unnamed, vdso};
use crate::error::{Error, ErrorKind};
use crate::files::Input;

/// An executable, shared library or object file.
#[derive(Debug)]
pub struct Image {
    path: PathBuf,
    pub(super) bytes: Vec<u8>,
    encoding: Encoding,
    text: Range<FilePc>,
    code: Vec<Range<FilePc>>,
    /// Code that linkers make for calls of functions of other modules.
    linkage: Vec<Range<FilePc>>,
    build_id: Option<Vec<u8>>,
    /// True if code has names though the file was stripped.
    names_stripped: bool,
    /// Functions that nothing names, with names by their addresses.
    unnamed: OnceLock<Vec<(Vec<u8>, Range<FilePc>)>>,
    debug: OnceLock<DebugInfo>,
    /// Names of code that only has descriptors.
    described: OnceLock<Vec<Vec<u8>>>,
    /// Tables by dialect.
    lines: [OnceLock<LineTable>; 2],
    functions: [OnceLock<FunctionTable>; 2],
    source_names: OnceLock<SourceNames>,
    /// The only addresses that anybody will ask about, sorted; `None` if that is not known.
    asked: Option<Vec<FilePc>>,
    /// Units that this leaves out.
    elsewhere: OnceLock<UnitsElsewhere>,
}

impl Image {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If it cannot be read, is not ELF, is damaged, or has no `.text`.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let refuse = |kind| Error::new(path, kind);
        let bytes = read(path).map_err(|error| refuse(ErrorKind::Unreadable(error)))?;
        let bytes = bytes.ok_or_else(|| refuse(ErrorKind::NotExecutable))?;
        Self::of_bytes(path, bytes)
    }

    /// The library that the kernel maps into every process, `[vdso]`, as this process has it.
    pub(crate) fn vdso() -> Option<Self> {
        Self::of_bytes(Path::new(vdso::NAME), vdso::read()?).ok()
    }

    /// Reads the bytes of a file, which need not exist at `path`.
    fn of_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, Error> {
        let refuse = |kind| Error::new(path, kind);
        let file = parse(&bytes).map_err(refuse)?;
        let text = file.section_by_name(".text").ok_or_else(|| refuse(ErrorKind::NoText))?;
        // What is wrong here is wrong elsewhere, too.
        let mut names = file.sections().map(|section| section.name().map(drop));
        names.try_for_each(|name| name.map_err(|error| refuse(ErrorKind::Damaged(error))))?;
        let text = range(&text);
        let code = || file.sections().filter(is_code);
        let linkage = code().filter(is_linkage).map(|section| range(&section)).collect();
        let code = code().map(|section| range(&section)).collect();
        let encoding = Encoding {
            word: if file.is_64() { WordSize::Eight } else { WordSize::Four },
            order: if file.is_little_endian() { ByteOrder::Little } else { ByteOrder::Big },
        };
        // A damaged note is none.
        let build_id = file.build_id().ok().flatten().map(<[u8]>::to_vec);
        Ok(Self {
            path: path.to_owned(),
            encoding,
            text,
            code,
            linkage,
            build_id,
            names_stripped: false,
            unnamed: OnceLock::new(),
            bytes,
            debug: OnceLock::new(),
            described: OnceLock::new(),
            lines: Default::default(),
            functions: Default::default(),
            source_names: OnceLock::new(),
            asked: None,
            elsewhere: OnceLock::new(),
        })
    }

    /// The name the image was opened by.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Names the functions of a stripped file as the dynamic linker knows them, or else by their addresses
    /// (`FILE+0x1234`).
    #[must_use]
    pub(crate) fn with_names_of_stripped(self) -> Self {
        Self { names_stripped: true, ..self }
    }

    /// Name that the linker gave this build; `None` if it gave none.
    #[must_use]
    pub fn build_id(&self) -> Option<&[u8]> {
        self.build_id.as_deref()
    }

    /// Contents of the section `.text`; `None` if the file only describes code that is in another
    /// one.
    #[must_use]
    pub(crate) fn text_bytes(&self) -> Option<&[u8]> {
        let file = parse(&self.bytes).ok()?;
        file.section_by_name(".text")?.data().ok().filter(|code| !code.is_empty())
    }

    /// Word size and byte order of the program, and so of its data files.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The addresses of the section `.text`.
    #[must_use]
    pub fn text(&self) -> Range<FilePc> {
        self.text.clone()
    }

    /// The addresses of the sections of instructions.
    #[must_use]
    pub fn code(&self) -> &[Range<FilePc>] {
        &self.code
    }

    /// Returns `true` of an address in code that linkers make for calls of functions of other modules.
    #[must_use]
    pub fn is_linkage(&self, pc: FilePc) -> bool {
        self.linkage.iter().any(|code| code.contains(&pc))
    }

    /// All symbols of `.symtab`, in its order: that of the program or, if it was stripped, that of the
    /// file that its debug information was moved to. Code that only has descriptors follows.
    ///
    /// # Errors
    /// If the file is damaged.
    pub(crate) fn symbols(&self) -> Result<Vec<ElfSymbol<'_>>, Error> {
        let mut symbols = Vec::new();
        self.visit_symbols(|symbol| symbols.push(symbol))?;
        Ok(symbols)
    }

    /// Calls `visit` with each symbol that [`symbols`](Self::symbols) would list.
    ///
    /// # Errors
    /// If the file is damaged.
    pub(crate) fn visit_symbols<'image>(
        &'image self,
        visit: impl FnMut(ElfSymbol<'image>),
    ) -> Result<(), Error> {
        let own = parse(&self.bytes).map_err(|kind| Error::new(&self.path, kind))?;
        let separate = || parse(self.debug().separate_file()?).ok();
        let separate = if own.symbols().next().is_none() { separate() } else { None };
        let file = separate.as_ref().unwrap_or(&own);
        let sections = Sections::new(file);
        let is_stripped = self.names_stripped && file.symbols().next().is_none();
        let dynamic = || file.dynamic_symbols().filter(|_| is_stripped);
        let all = || file.symbols().chain(dynamic());
        let symbols = || all().filter_map(|symbol| sections.resolve(&symbol));
        let described = descriptors::code(&own, symbols());
        let name = |symbol: &ElfSymbol<'_>| [descriptors::PREFIX, symbol.name].concat();
        let names = self.described.get_or_init(|| described.iter().map(name).collect());
        let described = described.iter().zip(names);
        let described = described.map(|(symbol, name)| ElfSymbol { name, ..*symbol });
        let unnamed = if is_stripped { self.unnamed(&own) } else { &[] };
        let unnamed = unnamed.iter().map(|(name, code)| ElfSymbol {
            name,
            address: code.start,
            size: code.end - code.start,
            is_hidden: true,
            binding: elf::STB_LOCAL,
            kind: elf::STT_FUNC,
            place: SymbolPlace::Text,
            is_described: false,
        });
        symbols().chain(described).chain(unnamed).for_each(visit);
        Ok(())
    }

    /// The addresses of its code and data in memory, and what lies between them; none if it is damaged.
    pub(crate) fn extent(&self) -> Range<FilePc> {
        let file = parse(&self.bytes).ok();
        let parts = file.iter().flat_map(|file| file.segments());
        let parts = parts.map(|part| (part.address(), part.address().saturating_add(part.size())));
        let extent = parts.reduce(|all, part| (all.0.min(part.0), all.1.max(part.1)));
        extent.map_or(FilePc(0)..FilePc(0), |(start, end)| FilePc(start)..FilePc(end))
    }

    /// The names of functions and data that it takes from other modules; none if it is damaged.
    pub(crate) fn imported(&self) -> Vec<&[u8]> {
        let Ok(file) = parse(&self.bytes) else { return Vec::new() };
        let imported = file.dynamic_symbols().filter(|symbol| symbol.is_undefined());
        imported.filter_map(|symbol| symbol.name_bytes().ok()).collect()
    }

    /// The functions of a stripped file, which is this one.
    fn unnamed(&self, file: &object::File<'_>) -> &[(Vec<u8>, Range<FilePc>)] {
        self.unnamed.get_or_init(|| {
            // A running process's program is read by a link of the system's.
            let link = self.path.starts_with("/proc").then(|| fs::read_link(&self.path).ok());
            let path = link.flatten().unwrap_or_else(|| self.path.clone());
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            let name = path_of_file(name);
            let functions = unnamed::functions(file, self.endian()).into_iter();
            let named = |code: Range<FilePc>| {
                ([name, format!("+{:#x}", code.start).as_bytes()].concat(), code)
            };
            functions.map(named).collect()
        })
    }

    /// The source lines of the code.
    #[must_use]
    pub fn lines(&self, dialect: Dialect) -> Lines<'_> {
        Lines::new(self, dialect)
    }

    /// Promises that lines and functions are wanted of the units of compilation with code at these addresses
    /// only. The others are not decoded then.
    #[must_use]
    pub fn asked_about(mut self, mut addresses: Vec<FilePc>) -> Self {
        addresses.sort_unstable();
        self.asked = Some(addresses);
        self
    }

    fn chosen_units(&self, dwarf: &Dwarf<'_>) -> ChosenUnits<'_> {
        let Some(asked) = &self.asked else { return ChosenUnits::ALL };
        let elsewhere = self.elsewhere.get_or_init(|| UnitsElsewhere::new(dwarf, asked));
        ChosenUnits::with(asked, elsewhere)
    }

    /// The decoded line table behind [`lines`](Self::lines).
    pub(crate) fn line_table(&self, dialect: Dialect) -> &LineTable {
        let decode = || {
            let dwarf = self.dwarf();
            let table = LineTable::new(&dwarf, self.chosen_units(&dwarf), &self.code, dialect);
            match dialect {
                Dialect::Standard => table.with_rooms(&rooms(&self.bytes)),
                Dialect::Gnu => table,
            }
        };
        self.lines[dialect as usize].get_or_init(decode)
    }

    /// The functions of the code, those inlined into others too; nothing is decoded until the first
    /// call.
    #[must_use]
    pub fn functions(&self, dialect: Dialect) -> &FunctionTable {
        self.functions[dialect as usize].get_or_init(|| {
            let split_units = SplitUnits::new(&self.path, self.endian());
            let dwarf = self.dwarf();
            let chosen = self.chosen_units(&dwarf);
            FunctionTable::new(&dwarf, &split_units, chosen, &self.code, dialect)
        })
    }

    /// The declarations of all functions that have code, by their first addresses.
    #[must_use]
    pub fn declarations(&self) -> HashMap<FilePc, Declaration> {
        declarations(&self.dwarf(), &SplitUnits::new(&self.path, self.endian()))
    }

    /// Facts of debug information about the names of functions.
    #[must_use]
    pub fn source_names(&self) -> &SourceNames {
        self.source_names.get_or_init(|| {
            SourceNames::new(&self.dwarf(), &SplitUnits::new(&self.path, self.endian()))
        })
    }

    fn dwarf(&self) -> Dwarf<'_> {
        self.debug().dwarf(&self.bytes, self.endian())
    }

    fn debug(&self) -> &DebugInfo {
        let places = if self.names_stripped { DebugPlaces::All } else { DebugPlaces::Gnu };
        self.debug.get_or_init(|| DebugInfo::find(&self.path, &self.bytes, places))
    }

    pub(super) fn endian(&self) -> RunTimeEndian {
        match self.encoding.order {
            ByteOrder::Little => RunTimeEndian::Little,
            ByteOrder::Big => RunTimeEndian::Big,
        }
    }
}

/// Reads a file if it begins like ELF; others, such as devices, might never end.
fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let mut file = Input::open(path)?;
    let mut bytes = Vec::new();
    file.by_ref().take(elf::ELFMAG.len() as u64).read_to_end(&mut bytes)?;
    if bytes != elf::ELFMAG {
        return Ok(None);
    }
    file.read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

pub(super) fn parse(bytes: &[u8]) -> Result<object::File<'_>, ErrorKind> {
    object::File::parse(bytes).map_err(ErrorKind::Damaged)
}

pub(super) fn is_code<'data>(section: &impl ObjectSection<'data>) -> bool {
    match section.flags() {
        SectionFlags::Elf { sh_flags, .. } => sh_flags.contains(elf::SHF_EXECINSTR),
        _ => false,
    }
}

/// Returns `true` of a procedure linkage table, by the names that linkers give them: `.plt`, `.plt.sec`, `.plt.got`, `.iplt`.
fn is_linkage<'data>(section: &impl ObjectSection<'data>) -> bool {
    let name = section.name_bytes().unwrap_or_default();
    [&b".plt"[..], b".iplt", b".MIPS.stubs"].iter().any(|start| name.starts_with(start))
}

pub(super) fn range<'data>(section: &impl ObjectSection<'data>) -> Range<FilePc> {
    let start = FilePc(section.address());
    start..start.saturating_add(section.size())
}
