//! Symbols that a report takes in, and those it leaves out.

use super::choice::Choice;
use super::matches::Matches;
use super::symspec::Symspec;
use crate::symbols::{SymbolId, SymbolTable};

/// Verdict of one report's selections on a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Asked for, or nothing was asked for and nothing is against it.
    Accepted,
    /// Not asked for, but not named as unwanted either.
    Passed,
    /// Not asked for, and named as unwanted.
    Rejected,
}

/// The verdict on every symbol of a table.
#[derive(Clone, Debug)]
pub struct Filter {
    verdicts: Vec<Verdict>,
}

impl Filter {
    /// Judges the symbols of a table. `unwanted` is left out as if it came after all that `choice`
    /// leaves out. Both are among what was matched.
    ///
    /// As with GNU gprof, to ask for what is not there is to ask for nothing, which means all.
    #[must_use]
    pub fn new(
        choice: &Choice,
        unwanted: &[Symspec],
        matches: &Matches<'_>,
        symbols: &SymbolTable,
    ) -> Self {
        let included = matches.of_all(choice.include.iter().map(|selector| &selector.symbols));
        let excluded = choice.exclude.iter().map(|selector| &selector.symbols);
        let excluded = matches.of_all(excluded.chain(unwanted));
        let verdict = |id| {
            if included.select(id) {
                Verdict::Accepted
            } else if excluded.select(id) {
                Verdict::Rejected
            } else if included.is_empty() {
                Verdict::Accepted
            } else {
                Verdict::Passed
            }
        };
        Self { verdicts: symbols.ids().map(verdict).collect() }
    }

    /// Accepts everything.
    #[must_use]
    pub fn everything(symbols: &SymbolTable) -> Self {
        Self { verdicts: vec![Verdict::Accepted; symbols.len()] }
    }

    /// The verdict on one symbol of the table the filter was made for.
    #[must_use]
    pub fn verdict(&self, id: SymbolId) -> Verdict {
        self.verdicts[id.index()]
    }

    /// Returns `true` if the symbol is [`Verdict::Accepted`].
    #[must_use]
    pub fn accepts(&self, id: SymbolId) -> bool {
        self.verdict(id) == Verdict::Accepted
    }
}
