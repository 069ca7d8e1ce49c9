//! Arcs that are taken from the data.

use std::sync::Arc as Shared;

use super::choice::Choice;
use super::matches::Matches;
use super::ranges::{self, Range};
use super::symspec::Selector;
use crate::symbols::{SymbolId, SymbolTable};

/// A choice of arcs by the symbols at their ends.
#[derive(Clone, Debug, Default)]
pub struct ArcFilter {
    included: Pairs,
    excluded: Pairs,
}

/// Callers, and for each of them callees.
#[derive(Clone, Debug, Default)]
struct Pairs {
    /// For each symbol the selectors that select it as a caller: a few of however many there are.
    /// Empty if none selects anything.
    selectors: Vec<Vec<u32>>,
    /// For each selector what it selects as callees.
    callees: Vec<Shared<[Range]>>,
}

impl ArcFilter {
    /// The arcs of a choice; all that it selects is among what was matched.
    #[must_use]
    pub fn new(choice: &Choice, matches: &Matches<'_>, symbols: &SymbolTable) -> Self {
        Self {
            included: Pairs::new(&choice.include, matches, symbols),
            excluded: Pairs::new(&choice.exclude, matches, symbols),
        }
    }

    /// Returns `true` if an arc counts.
    #[must_use]
    pub fn accepts(&self, caller: SymbolId, callee: SymbolId) -> bool {
        if self.included.selectors.is_empty() {
            !self.excluded.has(caller, callee)
        } else {
            self.included.has(caller, callee)
        }
    }
}

impl Pairs {
    fn new(selectors: &[Selector], matches: &Matches<'_>, symbols: &SymbolTable) -> Self {
        let callers = matches.of_all(selectors.iter().map(|selector| &selector.symbols));
        if callers.is_empty() {
            return Self::default();
        }
        let mut of_symbol = vec![Vec::new(); symbols.len()];
        for (range, selector) in callers.list() {
            for of_symbol in &mut of_symbol[range.first.index()..=range.last.index()] {
                of_symbol.push(selector as u32);
            }
        }
        let callees = |selector: &Selector| match &selector.callees {
            Some(callees) => Shared::clone(matches.of(callees)),
            None => Shared::default(),
        };
        Self { selectors: of_symbol, callees: selectors.iter().map(callees).collect() }
    }

    fn has(&self, caller: SymbolId, callee: SymbolId) -> bool {
        self.selectors
            .get(caller.index())
            .into_iter()
            .flatten()
            .any(|&selector| ranges::find(&self.callees[selector as usize], callee).is_some())
    }
}
