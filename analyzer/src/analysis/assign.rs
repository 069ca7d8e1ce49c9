//! Gives the ticks of the histogram to the functions they fell in.

use std::ops::Range;

use crate::profile::Profile;
use crate::records::{GNU_UNIT, Histogram};
use crate::selection::Filter;
use crate::symbols::{Symbol, SymbolId, SymbolTable};

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

impl SelfTimes {
    /// Splits all histograms among the functions that `filter` accepts.
    pub(super) fn new(profile: &Profile, filter: &Filter) -> Self {
        let mut times = Self { of: vec![0.0; profile.symbols().len()], total: 0.0 };
        if let Some(sampling) = profile.sampling() {
            let borders = borders(profile.symbols());
            let ends = ends(profile.symbols());
            let places = Places { symbols: profile.symbols(), borders: &borders, ends: &ends };
            for histogram in profile.records().histograms().list() {
                times.add(histogram, sampling.scale, &places, filter);
            }
        }
        times
    }

    fn add(&mut self, histogram: &Histogram, scale: f64, places: &Places<'_>, filter: &Filter) {
        // Bins come in address order, so no symbol before this one can meet a later bin.
        let mut first = 0;
        for (bin, &count) in histogram.bins.iter().enumerate().filter(|&(_, &count)| count != 0) {
            let count = count as f64;
            let covered = histogram.gnu_units(bin, scale);
            self.total += count;
            while first < places.ends.len() && places.borders[first + 1] <= covered.start {
                first += 1;
            }
            let met = || places.met(first, &covered);
            // What a bin holds that no function meets has nobody to go to in GNU gprof's reports. In
            // ours it goes to a symbol of its own, and rows add up to the total.
            let (whole, unknown) = match places.symbols.unknown() {
                None => (scale, None),
                Some(unknown) => match met().map(|(_, units)| units).sum::<u64>() {
                    0 => (1.0, Some((unknown, 1))),
                    known => (known as f64, None),
                },
            };
            for (id, units) in met().chain(unknown) {
                let credit = units as f64 * count / whole;
                if filter.accepts(id) {
                    self.of[places.symbols.owner(id).index()] += credit;
                } else {
                    self.total -= credit;
                }
            }
        }
    }
}

/// Places of symbols, in [`GNU_UNIT`]s.
struct Places<'p> {
    symbols: &'p SymbolTable,
    /// The start of each symbol, and the end of the code.
    borders: &'p [u64],
    /// End of each symbol's code, at the border of the next or before it.
    ends: &'p [u64],
}

impl Places<'_> {
    /// The symbols from `first` on that a bin meets, and how much of it is theirs.
    ///
    /// A bin that begins before the end of a function does not end there: what follows is padding, in
    /// which no program stops.
    fn met(&self, first: usize, bin: &Range<u64>) -> impl Iterator<Item = (SymbolId, u64)> + '_ {
        let Range { start: low, end: high } = *bin;
        let can_meet = move |&index: &usize| self.borders[index] <= high;
        (first..self.ends.len()).take_while(can_meet).filter_map(move |index| {
            let units = self.borders[index + 1].min(high).checked_sub(self.borders[index].max(low));
            let units = units.filter(|&units| units > 0 && self.ends[index] > low)?;
            Some((SymbolId(index as u32), units))
        })
    }
}

/// The symbols that lie somewhere.
fn placed(symbols: &SymbolTable) -> impl Iterator<Item = Symbol<'_>> {
    symbols.symbols().take(symbols.len() - usize::from(symbols.unknown().is_some()))
}

fn borders(symbols: &SymbolTable) -> Vec<u64> {
    let starts = placed(symbols).map(|symbol| symbol.address.0 / GNU_UNIT);
    // What lies behind the last one is its padding, as between others.
    let end = placed(symbols).last().map_or(0, |last| last.end.0.wrapping_add(1));
    let end = end.max(symbols.code_end().0) / GNU_UNIT;
    starts.chain([end]).collect()
}

fn ends(symbols: &SymbolTable) -> Vec<u64> {
    placed(symbols).map(|symbol| symbol.end.0.wrapping_add(1).div_ceil(GNU_UNIT)).collect()
}
