//! The functions of the program, sorted by address.
//!
//! A symbol owns the addresses up to its end or, if its size is not known, up to the next symbol. What
//! lies between belongs to no function.

use std::path::Path;
use std::sync::OnceLock;

use gmon_format::{CallSite, FilePc, SelfPc};

use super::admission::Admission;
use super::by_file::name_by_file;
use super::extents::in_order;
use super::lines::line_symbols;
use super::locator::Locator;
use super::name_order::NameOrder;
use super::pieces::{Pieces, Scoped, Title};
use super::symbol::Symbol;
use crate::error::{Error, ErrorKind};
use crate::image::{FileMap, Image, ListedSymbol, SymbolList};

/// A position in the symbol table: symbols are numbered from 0 in address order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub(crate) u32);

/// All symbols of an image. The table owns their names, so it needs neither the image nor any other file
/// that they were read from.
#[derive(Clone, Debug)]
pub struct SymbolTable {
    symbols: Vec<Entry>,
    /// The names of all symbols, one behind the other.
    names: Box<[u8]>,
    locator: Locator,
    /// For each symbol itself if it is a function, else the function it is a label in or, if sizes do not
    /// say otherwise, the nearest function before it.
    functions: Vec<Option<SymbolId>>,
    /// The last symbol, if it stands for code that is in no other.
    unknown: Option<SymbolId>,
    pieces: Pieces,
    name_order: OnceLock<NameOrder>,
    has_lines: bool,
}

/// Whether functions that the compiler split are put back together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Yes: their pieces count as the function, under the name in the source.
    Joined,
    /// No: each piece is a function, under the linker's name.
    Apart,
}

/// A symbol whose name is elsewhere.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Where in the names of the table its name ends; that of the symbol before it ends where it begins.
    name_end: usize,
    address: FilePc,
    end: FilePc,
    size: u64,
    is_function: bool,
    is_static: bool,
    is_object_file: bool,
}

impl Entry {
    fn new(symbol: &Symbol<'_>, name_end: usize) -> Self {
        let &Symbol { name: _, address, end, size, is_function, is_static, is_object_file } =
            symbol;
        Self { name_end, address, end, size, is_function, is_static, is_object_file }
    }
}

impl SymbolId {
    /// The position as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl SymbolTable {
    /// Takes the symbols of `image` that stand for code, as GNU gprof does.
    ///
    /// # Errors
    /// If the image is damaged or has none.
    pub fn new(image: &Image) -> Result<Self, Error> {
        Self::admitting(image, Admission::default())
    }

    /// Takes those symbols of `image` that `admission` lets in.
    ///
    /// # Errors
    /// If the image is damaged or has none.
    pub fn admitting(image: &Image, admission: Admission) -> Result<Self, Error> {
        let mut symbols = Symbol::select_all(image, admission)?;
        if admission != Admission::default() {
            // The code of what is left out belongs to the function before it.
            symbols.iter_mut().for_each(|symbol| symbol.size = 0);
        }
        Self::finish(symbols, image, image.path())
    }

    /// Takes the functions of `image` as their users know them. What lies in none of them belongs to a
    /// last symbol, [`UNKNOWN`](Symbol::UNKNOWN), which no arc leads from or to.
    ///
    /// # Errors
    /// If the image is damaged or has none.
    pub fn of_functions(image: &Image, split: Split) -> Result<Self, Error> {
        let (mut symbols, mut scoped) = (Vec::new(), Vec::new());
        let mut file: Option<(u32, &[u8])> = None;
        image.visit_symbols(|symbol| {
            if symbol.kind == object::elf::STT_FILE {
                let number = file.map_or(0, |(number, _)| number + 1);
                file = Some((number, symbol.name));
            }
            let admission = Admission { choosers: true, ..Admission::default() };
            let known = Symbol::select(&symbol, admission);
            let Some(known) = known.filter(|_| symbol.place.is_code()) else { return };
            let file = file.filter(|_| known.is_static);
            scoped.push(Scoped { name: known.name, address: known.address, file });
            symbols.push(known);
        })?;
        let mut table = Self::finish(symbols, image, image.path())?;
        table.end_with_sections(image);
        if split == Split::Joined {
            table.pieces = Pieces::new(&scoped, |address| {
                table.last_up_to(address).filter(|&id| table.get(id).address == address)
            });
        }
        table.add_unknown();
        Ok(table)
    }

    /// Takes from each symbol what lies in another section.
    fn end_with_sections(&mut self, image: &Image) {
        for symbol in &mut self.symbols {
            let section = image.code().iter().find(|code| code.contains(&symbol.address));
            symbol.end = section.map_or(symbol.end, |code| symbol.end.min(FilePc(code.end.0 - 1)));
        }
    }

    /// Adds the symbol that stands for code in no other.
    fn add_unknown(&mut self) {
        let id = SymbolId(self.symbols.len() as u32);
        self.names = [&self.names, Symbol::UNKNOWN.name].concat().into();
        self.symbols.push(Entry::new(&Symbol::UNKNOWN, self.names.len()));
        self.functions.push(Some(id));
        self.unknown = Some(id);
    }

    /// Takes the symbols of `image`, but one for each object file that `map` lists.
    ///
    /// # Errors
    /// If the image is damaged or has none.
    pub fn by_file(image: &Image, admission: Admission, map: &FileMap) -> Result<Self, Error> {
        let mut symbols = name_by_file(Symbol::select_all(image, admission)?, map);
        // A file has all code up to the next.
        symbols.iter_mut().for_each(|symbol| symbol.size = 0);
        Self::finish(symbols, image, image.path())
    }

    /// Takes the functions of `list` for those of `image`.
    ///
    /// # Errors
    /// If the list has none.
    pub fn listed(list: &SymbolList, image: &Image) -> Result<Self, Error> {
        let symbols = list.functions().map(|ListedSymbol { address, is_static, name }| Symbol {
            name,
            address,
            end: Symbol::OPEN,
            size: 0,
            is_function: true,
            is_static,
            is_object_file: false,
        });
        Self::finish(symbols.collect(), image, list.path())
    }

    /// Adds a symbol for each line of each function.
    ///
    /// # Errors
    /// If the image is damaged.
    pub fn with_lines(self, image: &Image) -> Result<Self, Error> {
        let mut symbols = line_symbols(image, &self)?;
        symbols.extend(self.symbols());
        Ok(Self { has_lines: true, ..Self::finish(symbols, image, image.path())? })
    }

    /// This table, as if the program had no line information.
    #[must_use]
    pub fn with_no_lines(self) -> Self {
        Self { has_lines: true, ..self }
    }

    /// Makes a table of the symbols that the file at `source` has.
    fn finish(symbols: Vec<Symbol<'_>>, image: &Image, source: &Path) -> Result<Self, Error> {
        let text = image.text();
        let symbols = in_order(symbols, FilePc(text.end.0.wrapping_sub(1)));
        // Symbols are numbered in 32 bits, which no ELF file of a real program exceeds.
        if symbols.is_empty() || u32::try_from(symbols.len()).is_err() {
            return Err(Error::new(source, ErrorKind::NoSymbols));
        }
        let functions = functions(&symbols);
        let locator = Locator::new(symbols.iter().map(|symbol| symbol.address).collect());
        let (symbols, names) = with_own_names(&symbols);
        let name_order = OnceLock::new();
        Ok(Self {
            symbols,
            names,
            locator,
            functions,
            unknown: None,
            pieces: Pieces::default(),
            name_order,
            has_lines: false,
        })
    }

    /// The number of symbols.
    #[must_use]
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Whether there is no symbol; never so for a table of an image.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// Whether there are symbols of lines beside those of functions.
    #[must_use]
    pub fn has_lines(&self) -> bool {
        self.has_lines
    }

    /// The symbols in address order.
    pub fn symbols(&self) -> impl DoubleEndedIterator<Item = Symbol<'_>> + ExactSizeIterator {
        self.ids().map(|id| self.get(id))
    }

    /// The numbers of all symbols, in address order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = SymbolId> + ExactSizeIterator + use<> {
        (0..self.symbols.len()).map(|index| SymbolId(index as u32))
    }

    /// The order of the names, found at the first call.
    pub fn name_order(&self) -> &NameOrder {
        self.name_order.get_or_init(|| NameOrder::new(self.len(), |id| self.get(id).name))
    }

    /// One symbol.
    ///
    /// # Panics
    /// If `id` is from a larger table.
    #[must_use]
    pub fn get(&self, id: SymbolId) -> Symbol<'_> {
        let index = id.index();
        let Entry { name_end, address, end, size, is_function, is_static, is_object_file } =
            self.symbols[index];
        let name_start = if index == 0 { 0 } else { self.symbols[index - 1].name_end };
        let name = &self.names[name_start..name_end];
        Symbol { name, address, end, size, is_function, is_static, is_object_file }
    }

    /// The symbol that owns `address`.
    #[must_use]
    pub fn find(&self, address: FilePc) -> Option<SymbolId> {
        let id = self.last_up_to(address)?;
        (address <= self.symbols[id.index()].end).then_some(id)
    }

    /// The symbol that owns a call site. A function that nobody called, because its caller was made up
    /// (makecontext(3), the kernel before a signal handler), returns to the beginning of another one: that is
    /// its caller then, although the byte before lies between two functions.
    #[must_use]
    pub fn find_caller(&self, CallSite(site): CallSite) -> Option<SymbolId> {
        self.find(site).or_else(|| {
            let entry = site.checked_add(1).filter(|_| self.is_between(site))?;
            self.find(entry).filter(|&id| self.get(id).address == entry)
        })
    }

    /// Whether `address` lies between two symbols and belongs to neither.
    pub(crate) fn is_between(&self, address: FilePc) -> bool {
        let before = self.last_up_to(address);
        before.is_some_and(|id| address > self.get(id).end && id.index() + 1 < self.locator.len())
    }

    /// The symbol that stands for code in no function, in a table that has one.
    #[must_use]
    pub fn unknown(&self) -> Option<SymbolId> {
        self.unknown
    }

    /// The function that a symbol is a piece of; itself, if it is none.
    #[must_use]
    pub fn owner(&self, id: SymbolId) -> SymbolId {
        self.pieces.owner(id)
    }

    /// The function that the compiler moved another out of, and which has a library call that.
    #[must_use]
    pub fn parent(&self, id: SymbolId) -> Option<SymbolId> {
        self.pieces.parent(id)
    }

    /// Whether one symbol calls another only to go on with a call of their function.
    pub(crate) fn goes_on(&self, caller: SymbolId, callee: SymbolId) -> bool {
        // A part that calls itself is a function that does: the way to the part was inlined.
        self.pieces.is_part(callee)
            && self.owner(caller) == self.owner(callee)
            && !self.get(caller).name.starts_with(self.get(callee).name)
    }

    /// The function that a call enters; none if it is not known, or if the call only goes on with one.
    pub(crate) fn called(&self, site: CallSite, self_pc: SelfPc) -> Option<SymbolId> {
        let callee = self.find_function(self_pc)?;
        let goes_on = |caller| self.goes_on(caller, callee);
        (!self.find_caller(site).is_some_and(goes_on)).then(|| self.owner(callee))
    }

    /// What a function is called for people, if that is not its linker's name.
    pub(crate) fn title(&self, id: SymbolId) -> Option<&Title> {
        self.pieces.title(id)
    }

    /// Whether the compiler made a function of a region of another that OpenMP's threads run.
    #[must_use]
    pub fn is_parallel_region(&self, id: SymbolId) -> bool {
        self.title(id).is_some_and(|title| title.is_parallel)
    }

    /// The last symbol that begins at or before `address`.
    pub(crate) fn last_up_to(&self, address: FilePc) -> Option<SymbolId> {
        self.locator.last_up_to(address).map(|index| SymbolId(index as u32))
    }

    /// The function that was called: the symbol that owns the address or, if that is a label, the function
    /// around or before it.
    #[must_use]
    pub fn find_function(&self, SelfPc(pc): SelfPc) -> Option<SymbolId> {
        self.functions[self.find(pc)?.index()]
    }
}

/// For each symbol the function that calls of it enter.
fn functions(symbols: &[Symbol<'_>]) -> Vec<Option<SymbolId>> {
    let mut last: Option<(SymbolId, &Symbol<'_>)> = None;
    let function = |(symbol, index): (_, u32)| {
        let symbol: &Symbol<'_> = symbol;
        let id = SymbolId(index);
        if symbol.is_function {
            last = Some((id, symbol));
        }
        last.map(|(function, before)| if before.ends_before(symbol) { id } else { function })
    };
    symbols.iter().zip(0..).map(function).collect()
}

/// The symbols, and all their names.
fn with_own_names(symbols: &[Symbol<'_>]) -> (Vec<Entry>, Box<[u8]>) {
    let mut names = Vec::with_capacity(symbols.iter().map(|symbol| symbol.name.len()).sum());
    let entries = symbols.iter().map(|symbol| {
        names.extend_from_slice(symbol.name);
        Entry::new(symbol, names.len())
    });
    (entries.collect(), names.into_boxed_slice())
}
