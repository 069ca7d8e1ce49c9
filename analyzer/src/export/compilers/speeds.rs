//! Speeds of the instructions of functions, by counted calls.
//!
//! A loop whose calls are counted, but whose other blocks seem to run less often, would look as if it ended after each call. So
//! calls say by how much samples mislead.

use std::collections::BTreeMap;

use gmon_format::FilePc;

use crate::symbols::{SymbolId, SymbolTable};

/// Factor by which the instructions of a function may seem faster or slower than usual. More is by chance, where few samples fell
/// beside its calls.
const MOST_UNUSUAL: f64 = 4.0;

/// Executions that were counted for each that samples let expect.
#[derive(Default)]
pub(super) struct Speeds {
    all: Both,
    functions: BTreeMap<SymbolId, Both>,
}

/// Executions of the same code: counted, and expected.
#[derive(Clone, Copy, Default)]
struct Both(f64, f64);

impl Speeds {
    /// Compares counts of pieces of code, by their starts, with what is expected of each.
    pub(super) fn of(
        counts: &BTreeMap<FilePc, u64>,
        symbols: &SymbolTable,
        expected: impl Fn(FilePc) -> u64,
    ) -> Self {
        let mut speeds = Self::default();
        for (start, count) in counts {
            let both = Both(*count as f64, expected(*start) as f64);
            speeds.all.add(both);
            if let Some(function) = symbols.find(*start) {
                speeds.functions.entry(function).or_default().add(both);
            }
        }
        speeds
    }

    /// Corrects the executions that are expected of code of a function: none only if there are none.
    pub(super) fn apply(&self, function: Option<SymbolId>, expected: u64) -> u64 {
        let usual = self.all.ratio().filter(|usual| *usual > 0.0).unwrap_or(1.0);
        let own = function.and_then(|function| self.functions.get(&function)?.ratio());
        let speed = own.unwrap_or(usual).clamp(usual / MOST_UNUSUAL, usual * MOST_UNUSUAL);
        ((expected as f64 * speed) as u64).max(expected.min(1))
    }
}

impl Both {
    fn add(&mut self, other: Self) {
        self.0 += other.0;
        self.1 += other.1;
    }

    fn ratio(self) -> Option<f64> {
        Some(self.0 / self.1).filter(|ratio| ratio.is_finite())
    }
}
