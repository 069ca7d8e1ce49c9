//! Stretches of the symbol table, as GNU gprof keeps what symspecs select.

use crate::symbols::SymbolId;

/// Symbols that lie together, from one to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) first: SymbolId,
    pub(super) last: SymbolId,
}

/// Ranges of several symspecs, sorted.
///
/// As with GNU gprof, only one of several ranges that begin at the same symbol is kept. What the others
/// select is lost.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges {
    list: Vec<Range>,
    /// For each range the place of its symspec among the others.
    specs: Vec<usize>,
}

impl Ranges {
    /// Joins the ranges of several symspecs, each list of which comes with the place of its symspec.
    /// Of ranges with the same start the first one is kept.
    pub(super) fn join<'r>(lists: impl Iterator<Item = (usize, &'r [Range])>) -> Self {
        let mut all: Vec<_> =
            lists.flat_map(|(spec, list)| list.iter().map(move |&range| (range, spec))).collect();
        all.sort_by_key(|(range, _)| range.first);
        all.dedup_by_key(|(range, _)| range.first);
        let (list, specs) = all.into_iter().unzip();
        Self { list, specs }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The ranges, each with the place of its symspec.
    pub(super) fn list(&self) -> impl Iterator<Item = (Range, usize)> + '_ {
        self.list.iter().copied().zip(self.specs.iter().copied())
    }

    /// Returns `true` if a symbol is selected, as far as GNU gprof finds out: it asks only the last
    /// range that begins at or before a symbol whether that reaches it.
    pub(super) fn select(&self, symbol: SymbolId) -> bool {
        find(&self.list, symbol).is_some()
    }
}

/// The range in a sorted list that has a symbol.
pub(super) fn find(ranges: &[Range], symbol: SymbolId) -> Option<usize> {
    let range = ranges.partition_point(|range| range.first <= symbol).checked_sub(1)?;
    (symbol <= ranges[range].last).then_some(range)
}
