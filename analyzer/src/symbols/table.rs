//! The functions of the program, sorted by address, each owning the addresses up to the next.

use std::path::Path;
use std::sync::OnceLock;

use super::by_file::name_by_file;
use super::lines::line_symbols;
use super::locator::Locator;
use super::name_order::NameOrder;
use super::selection::{Admission, Selected};
use crate::error::{Error, ErrorKind};
use crate::image::{ElfSymbol, FileMap, Image, ListedSymbol, SymbolList};

/// A position in the symbol table: symbols are numbered from 0 in address order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub(crate) u32);

/// A function, or another label in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol<'a> {
    /// Name as the linker knows it.
    pub name: &'a [u8],
    /// Its first address.
    pub address: u64,
    /// Its last address; below `address` for a symbol that lies outside the code and owns nothing.
    pub end: u64,
    /// Whether it is marked as a function.
    pub is_function: bool,
    /// Whether it is local to its object file.
    pub is_static: bool,
    /// Whether it stands for its whole object file, under the name of that.
    pub is_object_file: bool,
}

/// All symbols of an image. The table owns their names, so it needs neither the image nor any other file
/// that they were read from.
#[derive(Clone, Debug)]
pub struct SymbolTable {
    symbols: Vec<Entry>,
    /// The names of all symbols, one behind the other.
    names: Box<[u8]>,
    locator: Locator,
    /// For each symbol itself if it is a function, else the nearest function before it.
    functions: Vec<Option<SymbolId>>,
    name_order: OnceLock<NameOrder>,
    has_lines: bool,
}

/// A symbol whose name is elsewhere.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Where in the names of the table its name ends; that of the symbol before it ends where it begins.
    name_end: usize,
    address: u64,
    end: u64,
    is_function: bool,
    is_static: bool,
    is_object_file: bool,
}

impl SymbolId {
    /// The position as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl SymbolTable {
    /// Takes the symbols of `image` that stand for code.
    ///
    /// # Errors
    /// If the image is damaged or has none.
    pub fn new(image: &Image) -> Result<Self, Error> {
        Self::admitting(image, Admission::default())
    }

    /// The same, but perhaps not all of them.
    ///
    /// # Errors
    /// If the image is damaged or has none.
    pub fn admitting(image: &Image, admission: Admission) -> Result<Self, Error> {
        Self::finish(Symbol::select_all(image, admission)?, image, image.path())
    }

    /// The same, with one symbol for each object file that `map` knows.
    ///
    /// # Errors
    /// If the image is damaged or has none.
    pub fn by_file(image: &Image, admission: Admission, map: &FileMap) -> Result<Self, Error> {
        let symbols = name_by_file(Symbol::select_all(image, admission)?, map);
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
            is_function: true,
            is_static,
            is_object_file: false,
        });
        Self::finish(symbols.collect(), image, list.path())
    }

    /// The same symbols, and one for each line of each function beside them.
    ///
    /// # Errors
    /// If the image is damaged.
    pub fn with_lines(self, image: &Image) -> Result<Self, Error> {
        let mut symbols = line_symbols(image, &self)?;
        symbols.extend(self.symbols());
        Ok(Self { has_lines: true, ..Self::finish(symbols, image, image.path())? })
    }

    /// The same symbols, which count as those of a program of whose lines nothing is known.
    #[must_use]
    pub fn with_no_lines(self) -> Self {
        Self { has_lines: true, ..self }
    }

    /// Makes a table of the symbols that the file at `source` has.
    fn finish(symbols: Vec<Symbol<'_>>, image: &Image, source: &Path) -> Result<Self, Error> {
        let text = image.text();
        let symbols = in_order(symbols, text.end.wrapping_sub(1));
        // Symbols are numbered in 32 bits, which no ELF file of a real program exceeds.
        if symbols.is_empty() || u32::try_from(symbols.len()).is_err() {
            return Err(Error::new(source, ErrorKind::NoSymbols));
        }
        let mut function = None;
        let nearest = symbols.iter().zip(0..).map(|(symbol, index)| {
            function = if symbol.is_function { Some(SymbolId(index)) } else { function };
            function
        });
        let functions = nearest.collect();
        let locator = Locator::new(symbols.iter().map(|symbol| symbol.address).collect());
        let (symbols, names) = with_own_names(&symbols);
        let name_order = OnceLock::new();
        Ok(Self { symbols, names, locator, functions, name_order, has_lines: false })
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
        let Entry { name_end, address, end, is_function, is_static, is_object_file } =
            self.symbols[index];
        let name_start = if index == 0 { 0 } else { self.symbols[index - 1].name_end };
        let name = &self.names[name_start..name_end];
        Symbol { name, address, end, is_function, is_static, is_object_file }
    }

    /// The symbol that owns `address`.
    #[must_use]
    pub fn find(&self, address: u64) -> Option<SymbolId> {
        let id = self.last_up_to(address)?;
        (address <= self.symbols[id.index()].end).then_some(id)
    }

    /// The last symbol that begins at or before `address`.
    pub(super) fn last_up_to(&self, address: u64) -> Option<SymbolId> {
        self.locator.last_up_to(address).map(|index| SymbolId(index as u32))
    }

    /// The function that a call to `address` enters: the symbol that owns it or, if that is a label
    /// within a function, the nearest function before it.
    #[must_use]
    pub fn find_function(&self, address: u64) -> Option<SymbolId> {
        self.functions[self.find(address)?.index()]
    }
}

impl<'a> Symbol<'a> {
    /// An end that is not known yet.
    pub(super) const OPEN: u64 = 0;

    fn select_all(image: &'a Image, admission: Admission) -> Result<Vec<Self>, Error> {
        let mut symbols = Vec::new();
        image.visit_symbols(|symbol| symbols.extend(Self::select(&symbol, admission)))?;
        Ok(symbols)
    }

    fn select(symbol: &ElfSymbol<'a>, admission: Admission) -> Option<Self> {
        Selected::judge(symbol, admission).map(|selected| Self {
            name: symbol.name,
            address: symbol.address,
            end: Self::OPEN,
            is_function: symbol.kind == object::elf::STT_FUNC,
            is_static: selected == Selected::Static,
            is_object_file: false,
        })
    }

    /// Whether this is the better name for the address that both symbols have.
    fn replaces(&self, other: &Self) -> bool {
        let underscores =
            |symbol: &Self| symbol.name.iter().take(2).take_while(|&&byte| byte == b'_').count();
        let rank = |symbol: &Self| (symbol.is_static, !symbol.is_function, underscores(symbol));
        rank(self) < rank(other)
    }
}

/// Sorts the symbols, keeps one for each address and gives each that has no end yet the addresses up
/// to the next.
fn in_order(mut symbols: Vec<Symbol<'_>>, text_end: u64) -> Vec<Symbol<'_>> {
    symbols.sort_by_cached_key(|symbol| (symbol.address, !symbol.is_function, symbol.is_static));
    // Only a symbol that lies outside the code has an end before its start.
    symbols.retain(|symbol| symbol.end == Symbol::OPEN || symbol.end >= symbol.address);
    symbols.dedup_by(|next, kept| {
        let same = next.address == kept.address;
        if same && next.replaces(kept) {
            *kept = *next;
        }
        same
    });
    for index in 0..symbols.len() {
        let end = symbols.get(index + 1).map_or(text_end, |next| next.address - 1);
        let symbol = &mut symbols[index];
        if symbol.end == Symbol::OPEN {
            symbol.end = end;
        }
    }
    symbols
}

/// The symbols, and all their names.
fn with_own_names(symbols: &[Symbol<'_>]) -> (Vec<Entry>, Box<[u8]>) {
    let mut names = Vec::with_capacity(symbols.iter().map(|symbol| symbol.name.len()).sum());
    let entries = symbols.iter().map(|symbol| {
        let &Symbol { name, address, end, is_function, is_static, is_object_file } = symbol;
        names.extend_from_slice(name);
        Entry { name_end: names.len(), address, end, is_function, is_static, is_object_file }
    });
    (entries.collect(), names.into_boxed_slice())
}
