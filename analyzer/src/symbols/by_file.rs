//! Symbols that stand for the object files they come from.

use std::collections::HashMap;

use super::symbol::Symbol;
use crate::image::{FileMap, MapEntry};

/// Lets one symbol of each file stand for the file, under its name, and drops the others of it.
///
/// That is the first one in the list, which has the symbols of a file in the order of their
/// addresses. What is dropped belongs to the symbol before it, and so to the same file. Symbols that
/// are not in the list stay as they are.
pub(super) fn name_by_file<'a>(symbols: Vec<Symbol<'a>>, map: &'a FileMap) -> Vec<Symbol<'a>> {
    let files = Files::new(map);
    let places: Vec<_> = symbols.iter().map(|symbol| files.place(symbol.name)).collect();
    // For each stretch of lines of one file the first line that names a symbol of the program.
    let mut first = HashMap::new();
    for place in places.iter().flatten() {
        let line = first.entry(place.stretch).or_insert(place.line);
        *line = place.line.min(*line);
    }
    let named = |(symbol, place): (Symbol<'a>, Option<&ListedLine<'a>>)| match place {
        None => Some(symbol),
        Some(place) if first.get(&place.stretch) == Some(&place.line) => {
            Some(Symbol { name: place.entry.file, is_object_file: true, ..symbol })
        }
        Some(_) => None,
    };
    symbols.into_iter().zip(places).filter_map(named).collect()
}

/// The list of files, to be searched for symbols.
struct Files<'a> {
    /// Sorted by symbol.
    places: Vec<ListedLine<'a>>,
}

/// A line of the list.
struct ListedLine<'a> {
    entry: MapEntry<'a>,
    /// Its number.
    line: usize,
    /// The number of the stretch of lines of this file.
    stretch: usize,
}

impl<'a> Files<'a> {
    fn new(map: &'a FileMap) -> Self {
        let mut places: Vec<ListedLine<'a>> = Vec::new();
        for (line, entry) in map.entries().into_iter().enumerate() {
            let stretch = match places.last() {
                Some(last) if last.entry.file == entry.file => last.stretch,
                Some(last) => last.stretch + 1,
                None => 0,
            };
            places.push(ListedLine { entry, line, stretch });
        }
        places.sort_by_key(|place| place.entry.symbol);
        Self { places }
    }

    /// Searches as the C library's `bsearch` does, so that of several files with the symbol it is
    /// the one that GNU gprof takes.
    fn place(&self, symbol: &[u8]) -> Option<&ListedLine<'a>> {
        let (mut start, mut end) = (0, self.places.len());
        while start < end {
            let middle = (start + end) / 2;
            let place = &self.places[middle];
            match symbol.cmp(place.entry.symbol) {
                std::cmp::Ordering::Less => end = middle,
                std::cmp::Ordering::Equal => return Some(place),
                std::cmp::Ordering::Greater => start = middle + 1,
            }
        }
        None
    }
}
