//! The source files of the program, and where in them each symbol begins.

use std::collections::HashMap;

use gmon_format::FilePc;

use super::admission::{Admission, Admitted};
use super::table::{SymbolId, SymbolTable};
use crate::error::Error;
use crate::image::{FileId, Image, Lines};
use crate::positions::positions;

positions! {
    /// A position in the list of source files.
    SourceId(u32),
}

/// The source files of a table of symbols.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Their paths, in the order in which they were met.
    paths: Vec<Vec<u8>>,
    ids: HashMap<FileId, SourceId>,
    /// File and line of each symbol.
    places: Vec<Option<(SourceId, u32)>>,
}

impl Sources {
    /// Finds the source of every symbol of `table`, which was made from those of `image` that are
    /// admitted.
    ///
    /// # Errors
    /// If the image is damaged.
    pub fn new(
        image: &Image,
        admission: Admission,
        table: &SymbolTable,
        lines: Lines<'_>,
    ) -> Result<Self, Error> {
        let mut sources = Self::default();
        // GNU gprof meets the files of all symbols in the order of the image, before it sorts them.
        for symbol in image.symbols()? {
            if Admitted::judge(&symbol, admission).is_some() {
                sources.place_of(symbol.address, lines);
            }
        }
        let addresses = table.symbols().map(|symbol| symbol.address);
        let places = addresses.map(|address| sources.place_of(address, lines)).collect();
        sources.places = places;
        Ok(sources)
    }

    fn place_of(&mut self, address: FilePc, lines: Lines<'_>) -> Option<(SourceId, u32)> {
        let location = lines.locate(address)?;
        let Self { paths, ids, .. } = self;
        let id = *ids.entry(location.file).or_insert_with_key(|&file| {
            paths.push(lines.path(file).to_vec());
            SourceId(paths.len() as u32 - 1)
        });
        Some((id, location.line.get()))
    }

    /// All files, in the order in which they were met.
    pub(crate) fn files(&self) -> impl DoubleEndedIterator<Item = (SourceId, &[u8])> {
        let ids = (0..self.paths.len()).map(|index| SourceId(index as u32));
        ids.zip(self.paths.iter().map(|path| &path[..]))
    }

    /// File and line of a symbol of the table.
    pub(crate) fn place(&self, symbol: SymbolId) -> Option<(SourceId, u32)> {
        self.places.get(symbol.index()).copied().flatten()
    }

    /// The files by the last component of their paths; of several the one that was met last.
    pub(crate) fn by_name(&self) -> HashMap<&[u8], SourceId> {
        fn name(path: &[u8]) -> &[u8] {
            path.rsplit(|&byte| byte == b'/').next().unwrap_or_default()
        }
        self.files().map(|(id, path)| (name(path), id)).collect()
    }
}
