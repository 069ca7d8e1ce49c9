//! Functions' names as reports print them, and the numbers of entries and cycles behind them.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::columns;
use crate::analysis::{CallGraph, CycleId, Entry};
use crate::image::{FileId, Lines, Location, SourceNames};
use crate::symbols::{Demangling, Detail, Language, SymbolId, SymbolTable};

/// Style of names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameStyle {
    /// The language that they are turned back into.
    pub demangling: Demangling,
    /// Part of them that is shown.
    pub detail: Detail,
    /// Note behind them.
    pub place: NamePlace,
    /// Source files with their directories.
    pub whole_paths: bool,
}

impl NameStyle {
    /// The name of a function in the words of its source.
    #[must_use]
    pub fn name_of<'a>(
        self,
        symbols: &'a SymbolTable,
        lines: Lines<'a>,
        id: SymbolId,
    ) -> Cow<'a, [u8]> {
        let symbol = symbols.get(id);
        let known = self.source_names(lines);
        let language = known.map(|names| names.language(symbol.address));
        let demangling = language.map_or(self.demangling, Demangling::Source);
        match (symbols.title(id), known) {
            (None, Some(names)) => match names.name(symbol.address, symbol.name) {
                Some(name) => Cow::Borrowed(name),
                None => demangling.demangle_to(self.detail, symbol.name),
            },
            (None, None) => demangling.demangle_to(self.detail, symbol.name),
            (Some(title), known) => {
                let name = known.and_then(|names| names.program(&title.base)).map(Cow::Borrowed);
                let base = name.unwrap_or_else(|| demangling.demangle_to(self.detail, &title.base));
                Cow::Owned([&base, title.note.as_bytes()].concat())
            }
        }
    }

    /// The name that debug information has of an inlined function, in the words of its source.
    #[must_use]
    pub fn name_of_inlined<'n>(self, lines: Lines<'_>, name: &'n [u8]) -> Cow<'n, [u8]> {
        let has_ada = self.source_names(lines).is_some_and(|names| names.has(Language::Ada));
        let demangling = if has_ada { Demangling::Source(Language::Ada) } else { self.demangling };
        demangling.demangle_to(self.detail, name)
    }

    /// Returns `true` if a name comes back as it is, whatever debug information says.
    fn leaves(self, name: &[u8]) -> bool {
        !self.is_of_source() && self.demangling.leaves(name)
    }

    /// Returns `true` if names are those of the source, whatever its language.
    fn is_of_source(self) -> bool {
        matches!(self.demangling, Demangling::Source(_))
    }

    /// Facts in debug information, if they matter.
    fn source_names(self, lines: Lines<'_>) -> Option<&SourceNames> {
        lines.source_names().filter(|_| self.is_of_source())
    }
}

/// Part of a function's source that stands behind its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NamePlace {
    /// Nothing; the index tells the files of functions that only their files see.
    #[default]
    None,
    /// File and line.
    Line,
    /// File, line and address.
    LineAndAddress,
}

/// Readable names, each made when it is first printed.
#[derive(Debug)]
pub struct Names<'a> {
    symbols: &'a SymbolTable,
    lines: Lines<'a>,
    style: NameStyle,
    /// Names that differ from the linker's.
    plain: Vec<OnceLock<Option<Box<[u8]>>>>,
}

impl<'a> Names<'a> {
    /// Names for the functions of `symbols`, which come from the sources that `lines` knows.
    #[must_use]
    pub fn new(symbols: &'a SymbolTable, lines: Lines<'a>) -> Self {
        let plain = symbols.ids().map(|_| OnceLock::new()).collect();
        Self { symbols, lines, style: NameStyle::default(), plain }
    }

    /// These names in another style.
    #[must_use]
    pub fn styled(self, style: NameStyle) -> Self {
        Self { style, ..Self::new(self.symbols, self.lines) }
    }

    /// The name as the linker knows it.
    #[must_use]
    pub fn raw(&self, id: SymbolId) -> &'a [u8] {
        self.symbols.get(id).name
    }

    /// The name that debug information has of an inlined function, in the words of the source language.
    #[must_use]
    pub fn readable<'n>(&self, name: &'n [u8]) -> Cow<'n, [u8]> {
        self.style.name_of_inlined(self.lines, name)
    }

    /// The name in the words of the source language, and its place if the style asks for it.
    pub fn plain(&self, id: SymbolId) -> &[u8] {
        let raw = self.raw(id);
        let leaves = self.symbols.title(id).is_none() && self.style.leaves(raw);
        if self.style.place == NamePlace::None && leaves {
            return raw;
        }
        let plain = self.plain[id.index()].get_or_init(|| {
            let name = self.style.name_of(self.symbols, self.lines, id);
            match (self.place(id), name) {
                (Some(place), name) => Some([&name, &place[..]].concat().into()),
                (None, Cow::Owned(name)) => Some(name.into()),
                (None, Cow::Borrowed(name)) if name != raw => Some(name.into()),
                (None, Cow::Borrowed(_)) => None,
            }
        });
        plain.as_deref().unwrap_or(raw)
    }

    /// Appends the name, its cycle and, if there is a call graph, the number of its entry: in
    /// brackets if the entry is shown.
    pub(super) fn append_full(&self, text: &mut Vec<u8>, graph: &CallGraph, id: SymbolId) {
        text.extend_from_slice(self.plain(id));
        if let Some(cycle) = graph.cycle_of(id) {
            text.push(b' ');
            append_cycle(text, cycle);
        }
        if graph.profile().records().has_arcs() {
            text.push(b' ');
            append_tag(text, graph, Entry::Function(id));
        }
    }

    /// The source file of a function that only that file sees: its name alone may not be unique.
    pub(super) fn file_of_static(&self, id: SymbolId) -> Option<&'a [u8]> {
        let symbol = self.symbols.get(id);
        if !symbol.is_static || self.style.place == NamePlace::LineAndAddress {
            return None;
        }
        Some(self.file(self.lines.locate(symbol.address)?.file))
    }

    fn place(&self, id: SymbolId) -> Option<Vec<u8>> {
        let address = self.symbols.get(id).address;
        if self.style.place == NamePlace::None {
            return None;
        }
        let Location { file, line } = self.lines.locate(address)?;
        let rest = match self.style.place {
            NamePlace::LineAndAddress => format!(":{line} @ {address:x})"),
            _ => format!(":{line})"),
        };
        Some([b" (", self.file(file), rest.as_bytes()].concat())
    }

    fn file(&self, file: FileId) -> &'a [u8] {
        let path = self.lines.path(file);
        match path.rsplit(|&byte| byte == b'/').next() {
            Some(base) if !self.style.whole_paths => base,
            _ => path,
        }
    }
}

/// Appends the number of an entry: in brackets if the entry is shown, else in parentheses.
pub(super) fn append_tag(text: &mut Vec<u8>, graph: &CallGraph, entry: Entry) {
    let [open, close] = if graph.costs(entry).shown { *b"[]" } else { *b"()" };
    text.push(open);
    columns::number(text, graph.index(entry).into());
    text.push(close);
}

/// Appends what stands for a cycle.
pub(super) fn append_cycle(text: &mut Vec<u8>, cycle: CycleId) {
    text.extend_from_slice(b"<cycle ");
    columns::number(text, cycle.number() as u64);
    text.push(b'>');
}
