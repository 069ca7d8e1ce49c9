//! Sources of tables: an image, a list of symbols, a map of object files, lines.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::OnceLock;

use gmon_format::FilePc;

use super::{Entry, Split, SymbolId, SymbolTable};
use crate::error::{Error, ErrorKind};
use crate::image::{Dialect, FileMap, Image, ListedSymbol, SymbolList};
use crate::symbols::admission::Admission;
use crate::symbols::by_file::name_by_file;
use crate::symbols::extents::in_order;
use crate::symbols::lines::line_symbols;
use crate::symbols::locator::Locator;
use crate::symbols::pieces::{Pieces, Scoped};
use crate::symbols::symbol::Symbol;
use crate::symbols::version::without_version;

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
    /// last symbol, [`UNKNOWN`](Symbol::UNKNOWN), which no arc leads from or to. A function with several names gets one of
    /// the `preferred` ones, if it can.
    ///
    /// # Errors
    /// If the image is damaged or has none.
    pub fn of_functions(
        image: &Image,
        split: Split,
        preferred: &HashSet<Vec<u8>>,
    ) -> Result<Self, Error> {
        let (mut symbols, mut scoped) = (Vec::new(), Vec::new());
        let mut choosers = HashSet::new();
        let mut file: Option<(u32, &[u8])> = None;
        image.visit_symbols(|symbol| {
            if symbol.kind == object::elf::STT_FILE {
                let number = file.map_or(0, |(number, _)| number + 1);
                file = Some((number, symbol.name));
            }
            let admission = Admission { choosers: true, ..Admission::default() };
            let known = Symbol::select(&symbol, admission);
            let Some(known) = known.filter(|_| symbol.place.is_code()) else { return };
            if symbol.kind == object::elf::STT_GNU_IFUNC {
                choosers.insert(known.name);
            }
            let file = file.filter(|_| known.is_static);
            scoped.push(Scoped { name: known.name, address: known.address, file });
            symbols.push(known);
        })?;
        prefer(&mut symbols, preferred);
        prefer_others(&mut symbols, &choosers);
        // Of names as good as each other users know the shortest: `exp`, not `expf64`.
        symbols.sort_by_cached_key(|symbol| without_version(symbol.name).len());
        let mut table = Self::finish(symbols, image, image.path())?;
        table.end_with_sections(image);
        if split == Split::Joined {
            let find =
                |address| table.last_up_to(address).filter(|&id| table.get(id).address == address);
            let lines = image.lines(Dialect::Standard);
            let place = |id| lines.locate(table.get(id).address);
            table.pieces = Pieces::new(&scoped, find, place);
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
            is_function: true,
            is_static,
            ..Symbol::default()
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
            code_end: text.end,
            functions,
            unknown: None,
            pieces: Pieces::default(),
            name_order,
            has_lines: false,
        })
    }
}

impl Entry {
    fn new(symbol: &Symbol<'_>, name_end: usize) -> Self {
        let &Symbol { name: _, address, end, size, is_function, is_static, is_object_file } =
            symbol;
        Self { name_end, address, end, size, is_function, is_static, is_object_file }
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

/// Leaves functions that have another name none of these, which callers give to what the function chooses for them.
fn prefer_others(symbols: &mut Vec<Symbol<'_>>, choosers: &HashSet<&[u8]>) {
    let is_other = |symbol: &Symbol<'_>| !choosers.contains(symbol.name);
    let others = symbols.iter().filter(|symbol| is_other(symbol));
    let others: HashSet<FilePc> = others.map(|symbol| symbol.address).collect();
    symbols.retain(|symbol| is_other(symbol) || !others.contains(&symbol.address));
}

/// Leaves functions that have some of these names no other. A name that several functions have, in different versions, does not
/// tell which of them is meant.
fn prefer(symbols: &mut Vec<Symbol<'_>>, names: &HashSet<Vec<u8>>) {
    let is_preferred = |symbol: &Symbol<'_>| names.contains(without_version(symbol.name));
    let mut places: HashMap<&[u8], HashSet<FilePc>> = HashMap::new();
    for symbol in symbols.iter().filter(|symbol| is_preferred(symbol)) {
        places.entry(without_version(symbol.name)).or_default().insert(symbol.address);
    }
    let addresses = places.values().filter(|places| places.len() == 1).flatten();
    let addresses: HashSet<FilePc> = addresses.copied().collect();
    symbols.retain(|symbol| !addresses.contains(&symbol.address) || is_preferred(symbol));
}
