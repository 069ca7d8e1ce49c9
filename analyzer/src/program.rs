//! A program as far as it is known without any data: its image, symbols, lines and sources.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc as Shared, OnceLock};

use gmon_format::FilePc;

use crate::error::Error;
use crate::image::{Dialect, FileMap, FunctionTable, Image, Lines, Piece, SymbolList};
use crate::symbols::{Admission, Sources, Split, SymbolTable};

/// Options for reading a program. The default is what GNU gprof does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramOptions {
    /// Symbols of the image that enter the table.
    pub admission: Admission,
    /// Take the functions as their authors know them, joined where the compiler split them or not, instead of the
    /// symbols that GNU gprof takes.
    pub functions: Option<Split>,
    /// Take the symbols from this list instead of the image; then no source lines are known.
    pub symbol_list: Option<PathBuf>,
    /// Let one symbol stand for each object file of this list.
    pub file_map: Option<PathBuf>,
    /// A symbol for each source line beside those of functions.
    pub lines: bool,
    /// Readings of debug information.
    pub dialect: Dialect,
    /// Give the functions of a stripped program the names that the dynamic linker knows, or else their
    /// addresses, instead of refusing it.
    pub names_stripped: bool,
    /// Give a function that has several names the one that is among these, if `functions` are taken.
    pub preferred: HashSet<Vec<u8>>,
    /// Take full profiles of any build for those of this one.
    pub any_build: bool,
    /// Decode the units of compilation with code at these addresses only; all of them if `None`.
    pub asked: Option<Vec<FilePc>>,
}

/// An executable and what is known of its code. It owns all of it, so it can be kept and shared between
/// threads and measurements.
#[derive(Debug)]
pub struct Program {
    image: Shared<Image>,
    symbols: Shared<SymbolTable>,
    admission: Admission,
    /// None where nothing is known of lines.
    dialect: Option<Dialect>,
    file_map: Option<FileMap>,
    sources: OnceLock<Sources>,
}

impl ProgramOptions {
    /// For reports that need not be those of GNU gprof: functions as their authors know them, joined where the
    /// compiler split them, and debug information as its standard says.
    #[must_use]
    pub fn standard() -> Self {
        Self { functions: Some(Split::Joined), dialect: Dialect::Standard, ..Self::default() }
    }
}

impl Program {
    /// Reads the executable at `path`, and the lists that the options name.
    ///
    /// # Errors
    /// If one of the files cannot be read or is not what it should be, or there are no symbols.
    pub fn open(path: impl AsRef<Path>, options: &ProgramOptions) -> Result<Self, Error> {
        Self::of_image(Image::open(path)?, options)
    }

    /// Reads an executable that is open.
    pub(crate) fn of_image(image: Image, options: &ProgramOptions) -> Result<Self, Error> {
        let image = if options.names_stripped { image.with_names_of_stripped() } else { image };
        let image = match &options.asked {
            Some(addresses) => image.asked_about(addresses.clone()),
            None => image,
        };
        let admission = options.admission;
        let file_map = options.file_map.as_ref().map(FileMap::open).transpose()?;
        let list = options.symbol_list.as_ref().map(SymbolList::open).transpose()?;
        let symbols = match (&list, &file_map, options.functions) {
            (Some(list), ..) => SymbolTable::listed(list, &image),
            (None, Some(map), _) => SymbolTable::by_file(&image, admission, map),
            (None, None, Some(split)) => {
                SymbolTable::of_functions(&image, split, &options.preferred)
            }
            (None, None, None) => SymbolTable::admitting(&image, admission),
        }?;
        let symbols = match list {
            _ if !options.lines => symbols,
            Some(_) => symbols.with_no_lines(),
            None => symbols.with_lines(&image)?,
        };
        // Nothing is known of the sources of listed symbols.
        let dialect = options.symbol_list.is_none().then_some(options.dialect);
        let symbols = Shared::new(symbols);
        Ok(Self {
            image: image.into(),
            symbols,
            admission,
            dialect,
            file_map,
            sources: OnceLock::new(),
        })
    }

    /// The executable.
    #[must_use]
    pub fn image(&self) -> &Shared<Image> {
        &self.image
    }

    /// Its functions.
    #[must_use]
    pub fn symbols(&self) -> &Shared<SymbolTable> {
        &self.symbols
    }

    /// The source lines of its code, decoded when the first of them is asked for.
    #[must_use]
    pub fn lines(&self) -> Lines<'_> {
        self.dialect.map_or(Lines::unknown(), |dialect| self.image.lines(dialect))
    }

    /// Returns `true` if the source line of any code is known. Rust's library, of which gmon's runtime has parts too, brings those of
    /// its own code along.
    #[must_use]
    pub fn has_line_numbers(&self) -> bool {
        /// Folder in which Rust's library was compiled.
        const LIBRARY: &[u8] = b"/rustc/";
        let lines = self.lines();
        let is_own = |piece: Piece| !lines.path(piece.location.file).starts_with(LIBRARY);
        self.image.code().iter().any(|range| lines.pieces(range.clone()).any(is_own))
    }

    /// The functions that debug information knows, those inlined into others too.
    #[must_use]
    pub fn functions(&self) -> &FunctionTable {
        self.image.functions(self.dialect.unwrap_or(Dialect::Standard))
    }

    /// The list of object files, if the options name one.
    #[must_use]
    pub fn file_map(&self) -> Option<&FileMap> {
        self.file_map.as_ref()
    }

    /// The source of every symbol, found at the first call.
    ///
    /// # Errors
    /// If the image is damaged.
    pub fn sources(&self) -> Result<&Sources, Error> {
        if let Some(known) = self.sources.get() {
            return Ok(known);
        }
        let sources = Sources::new(&self.image, self.admission, &self.symbols, self.lines())?;
        Ok(self.sources.get_or_init(|| sources))
    }
}
