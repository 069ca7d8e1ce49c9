//! Which symbols a report takes in and which it leaves out.

use super::table::{SymbolId, SymbolTable};

/// What the selections of one report say about a symbol.
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

/// Functions of the profiling runtime itself, which no report shows.
const RUNTIME: [&[u8]; 6] =
    [b"_gprof_mcount", b"mcount", b"_mcount", b"__mcount", b"__mcount_internal", b"__mcleanup"];

impl Filter {
    /// Accepts everything but the profiling runtime.
    #[must_use]
    pub fn without_runtime(symbols: &SymbolTable<'_>) -> Self {
        let verdict = |id| {
            let symbol = symbols.get(id);
            // A symbol that owns no address cannot be found by a selection.
            if symbol.address <= symbol.end && RUNTIME.contains(&symbol.name) {
                Verdict::Rejected
            } else {
                Verdict::Accepted
            }
        };
        Self { verdicts: symbols.ids().map(verdict).collect() }
    }

    /// The verdict on one symbol of the table the filter was made for.
    #[must_use]
    pub fn verdict(&self, id: SymbolId) -> Verdict {
        self.verdicts[id.index()]
    }

    /// Whether the symbol is [`Verdict::Accepted`].
    #[must_use]
    pub fn accepts(&self, id: SymbolId) -> bool {
        self.verdict(id) == Verdict::Accepted
    }
}
