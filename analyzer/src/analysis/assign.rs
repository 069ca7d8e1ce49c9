//! Gives the ticks of the histogram to the functions they fell in.

use crate::profile::Profile;
use crate::records::Histogram;
use crate::symbols::{Filter, SymbolId, SymbolTable};

/// The time spent in each function itself, in ticks.
///
/// A bin that reaches over the end of a function is split in proportion, so ticks are fractions.
#[derive(Clone, Debug)]
pub(super) struct SelfTimes {
    /// Per symbol.
    pub(super) of: Vec<f64>,
    /// All ticks but those of functions that the filter leaves out; ticks outside all functions
    /// are part of it.
    pub(super) total: f64,
}

/// Addresses are compared in units of two bytes, as the bin size is given in them.
const UNIT: u64 = 2;

impl SelfTimes {
    /// Splits all histograms among the functions that `filter` accepts.
    pub(super) fn new(profile: &Profile, filter: &Filter) -> Self {
        let mut times = Self { of: vec![0.0; profile.symbols().len()], total: 0.0 };
        if let Some(sampling) = profile.sampling() {
            let borders = borders(profile.symbols());
            for histogram in profile.records().histograms().list() {
                times.add(histogram, sampling.scale, &borders, profile.symbols(), filter);
            }
        }
        times
    }

    fn add(
        &mut self,
        histogram: &Histogram,
        scale: f64,
        borders: &[u64],
        symbols: &SymbolTable,
        filter: &Filter,
    ) {
        let low = histogram.range.start / UNIT;
        // Bins come in address order, so no symbol before this one can meet a later bin.
        let mut first = 0;
        for (bin, &count) in histogram.bins.iter().enumerate().filter(|&(_, &count)| count != 0) {
            let count = count as f64;
            let bin_low = low.wrapping_add((scale * bin as f64) as u64);
            let bin_high = low.wrapping_add((scale * (bin + 1) as f64) as u64);
            self.total += count;
            while first < symbols.len() && borders[first + 1] <= bin_low {
                first += 1;
            }
            for index in (first..symbols.len()).take_while(|&index| borders[index] <= bin_high) {
                let low = borders[index].max(bin_low);
                let high = borders[index + 1].min(bin_high);
                if low >= high {
                    continue;
                }
                let credit = (high - low) as f64 * count / scale;
                if filter.accepts(SymbolId(index as u32)) {
                    self.of[index] += credit;
                } else {
                    self.total -= credit;
                }
            }
        }
    }
}

/// The start of each symbol and the end of the last, in [`UNIT`]s.
fn borders(symbols: &SymbolTable) -> Vec<u64> {
    let starts = symbols.symbols().map(|symbol| symbol.address / UNIT);
    let end = symbols.symbols().next_back().map_or(0, |last| (last.end.wrapping_add(1)) / UNIT);
    starts.chain([end]).collect()
}
