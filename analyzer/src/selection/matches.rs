//! Finds the symbols that symspecs select, for any number of them in one pass over the table.

use std::collections::HashMap;
use std::sync::Arc as Shared;

use super::ranges::{Range, Ranges, find};
use super::symspec::{Part, Symspec};
use crate::symbols::{SourceId, Sources, SymbolId, SymbolTable};

/// The symbols that each of some symspecs selects.
///
/// Symspecs that differ, but give the same parts (a line without a file, say) never select the same
/// symbol; so this takes time and space in proportion to symspecs plus symbols.
#[derive(Debug)]
pub struct Matches<'s> {
    /// The place of each symspec in `ranges`.
    places: HashMap<&'s Symspec, usize>,
    ranges: Vec<Shared<[Range]>>,
}

/// The symspecs that give the same file, or none, by what else they give.
#[derive(Debug, Default)]
struct Parts<'s> {
    all: Option<usize>,
    lines: HashMap<u32, usize>,
    functions: HashMap<&'s [u8], usize>,
}

impl<'s> Matches<'s> {
    /// Looks for the symbols of all `specs`. `sources` are needed only for symspecs with a file or a
    /// line.
    pub fn new(
        specs: impl IntoIterator<Item = &'s Symspec>,
        symbols: &SymbolTable,
        sources: &Sources,
    ) -> Self {
        let mut places = HashMap::new();
        let mut by_file: HashMap<Option<SourceId>, Parts<'s>> = HashMap::new();
        let files = sources.by_name();
        for spec in specs {
            let place = places.len();
            if *places.entry(spec).or_insert(place) != place {
                continue;
            }
            // A file that is unknown has no symbols.
            let file = spec.file.as_ref().map(|name| files.get(&name[..]));
            match file {
                Some(None) => {}
                Some(Some(&file)) => by_file.entry(Some(file)).or_default().add(spec, place),
                None => by_file.entry(None).or_default().add(spec, place),
            }
        }
        let mut ranges: Vec<Vec<Range>> = vec![Vec::new(); places.len()];
        // What stands for unknown code is no symbol of the program, and lies nowhere.
        for id in symbols.ids().filter(|&id| symbols.unknown() != Some(id)) {
            let source = sources.place(id);
            let line = source.map(|(_, line)| line);
            let in_file = source.and_then(|(file, _)| by_file.get(&Some(file)));
            for parts in by_file.get(&None).into_iter().chain(in_file) {
                for place in parts.of(line, symbols.get(id).name) {
                    extend(&mut ranges[place], id);
                }
            }
        }
        let finish =
            |ranges: Vec<Range>| ranges.into_iter().filter_map(|r| reach(r, symbols)).collect();
        Self { places, ranges: ranges.into_iter().map(finish).collect() }
    }

    /// Symbols that a symspec selects.
    pub(super) fn of(&self, spec: &Symspec) -> &Shared<[Range]> {
        &self.ranges[self.places[spec]]
    }

    /// Returns `true` if a symspec, which is one of those looked for, selects a symbol.
    #[must_use]
    pub fn selects(&self, spec: &Symspec, symbol: SymbolId) -> bool {
        find(self.of(spec), symbol).is_some()
    }

    /// Symbols that several symspecs select together; as with GNU gprof, later ones win.
    pub(super) fn of_all<'t>(&self, specs: impl Iterator<Item = &'t Symspec>) -> Ranges {
        let specs: Vec<_> = specs.collect();
        let mut seen = vec![false; self.ranges.len()];
        let lists = specs.iter().enumerate().rev().filter_map(|(index, &spec)| {
            let place = self.places[spec];
            let is_new = !std::mem::replace(&mut seen[place], true);
            is_new.then(|| (index, &self.ranges[place][..]))
        });
        Ranges::join(lists)
    }
}

impl<'s> Parts<'s> {
    fn add(&mut self, spec: &'s Symspec, place: usize) {
        match &spec.part {
            Part::All => self.all = Some(place),
            Part::Line(line) => {
                self.lines.insert(*line, place);
            }
            Part::Function(name) => {
                self.functions.insert(name, place);
            }
        }
    }

    /// The symspecs that select a symbol with this line and name.
    fn of(&self, line: Option<u32>, name: &[u8]) -> impl Iterator<Item = usize> + use<> {
        let line = line.and_then(|line| self.lines.get(&line));
        let function = self.functions.get(name);
        self.all.into_iter().chain(line.copied()).chain(function.copied())
    }
}

/// Adds a symbol that comes after all in `ranges`.
fn extend(ranges: &mut Vec<Range>, id: SymbolId) {
    match ranges.last_mut() {
        Some(range) if range.last.index() + 1 == id.index() => range.last = id,
        _ => ranges.push(Range { first: id, last: id }),
    }
}

/// The symbols that a range covers by address: the end of its last symbol can lie after the start of
/// further symbols, or even before the start of its first.
fn reach(range: Range, symbols: &SymbolTable) -> Option<Range> {
    let last = symbols.last_up_to(symbols.get(range.last).end)?;
    (last >= range.first).then_some(Range { last, ..range })
}
