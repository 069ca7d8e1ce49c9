//! How fast the instructions of functions are, by counted calls.
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
pub(super) struct Speeds {
    usual: f64,
    functions: BTreeMap<Option<SymbolId>, f64>,
}

impl Default for Speeds {
    /// Samples are right.
    fn default() -> Self {
        Self { usual: 1.0, functions: BTreeMap::new() }
    }
}

impl Speeds {
    /// Compares counts of pieces of code, by their starts, with what is expected of each.
    pub(super) fn of(
        counts: &BTreeMap<FilePc, u64>,
        symbols: &SymbolTable,
        expected: impl Fn(FilePc) -> u64,
    ) -> Self {
        let mut sums: BTreeMap<Option<SymbolId>, [f64; 2]> = BTreeMap::new();
        for (start, count) in counts {
            let [counted, expectation] = sums.entry(symbols.find(*start)).or_default();
            *counted += *count as f64;
            *expectation += expected(*start) as f64;
        }
        let all = sums.values().fold([0.0; 2], |all, sums| [all[0] + sums[0], all[1] + sums[1]]);
        let ratio =
            |[counted, expected]: [f64; 2]| Some(counted / expected).filter(|it| it.is_finite());
        let usual = ratio(all).filter(|usual| *usual > 0.0).unwrap_or(1.0);
        let functions = sums.into_iter().filter_map(|(function, sums)| {
            Some((function, ratio(sums)?.clamp(usual / MOST_UNUSUAL, usual * MOST_UNUSUAL)))
        });
        Self { usual, functions: functions.collect() }
    }

    /// Corrects the executions that are expected of code of a function: none only if there are none.
    pub(super) fn apply(&self, function: Option<SymbolId>, expected: u64) -> u64 {
        let speed = self.functions.get(&function).copied().unwrap_or(self.usual);
        ((expected as f64 * speed) as u64).max(expected.min(1))
    }
}
