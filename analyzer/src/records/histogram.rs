//! Histograms of several records and files, added up where they cover the same range.

use std::collections::BTreeMap;
use std::ops::Range;

use gmon_format::{BsdFile, BsdHeader, FilePc, HistogramHeader};

use crate::error::{Conflict, ErrorKind};

/// Addresses of one range and how often each was sampled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// The addresses covered.
    pub range: Range<FilePc>,
    /// Ticks per bin, in address order; the bins divide the range evenly.
    pub bins: Vec<u64>,
}

/// What the samples count; the same for all histograms of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// Ticks per unit of the dimension, normally ticks per second.
    pub rate: u32,
    /// What is counted, normally `seconds`; bytes, since nothing says in which encoding.
    pub dimension: Vec<u8>,
    /// One letter for the dimension, normally `s`.
    pub abbreviation: u8,
    /// Size of a bin in units of two bytes of code, as GNU gprof measures it; 0 if there are no bins.
    pub scale: f64,
}

/// All histograms of a run, in the order in which their ranges first appeared.
#[derive(Clone, Debug, Default)]
pub struct Histograms {
    list: Vec<Histogram>,
    /// Finds a histogram by its range. Those that are not empty do not overlap.
    by_range: BTreeMap<RangeKey, usize>,
    sampling: Option<Sampling>,
    /// Its scale before it was made finite.
    scale: f64,
    /// Whether a file of BSD is among the sums: it can only be in the first histogram.
    has_bsd: bool,
}

/// A range, sorted by its start, but after all that are not empty if it is.
type RangeKey = (bool, FilePc, FilePc);

impl Histograms {
    /// The histograms.
    #[must_use]
    pub fn list(&self) -> &[Histogram] {
        &self.list
    }

    /// What they count; none if there is no histogram.
    #[must_use]
    pub fn sampling(&self) -> Option<&Sampling> {
        self.sampling.as_ref()
    }

    /// Adds a histogram of a GNU or a live file. Without bins it is only checked.
    pub(super) fn add(
        &mut self,
        header: &HistogramHeader,
        bins: Option<impl ExactSizeIterator<Item = u64>>,
    ) -> Result<(), ErrorKind> {
        let range = header.low_pc..header.high_pc;
        if range.end < range.start {
            return Err(ErrorKind::Histogram("histogram ends before it starts"));
        }
        if header.rate == 0 {
            return Err(ErrorKind::Histogram("histogram with a profiling rate of 0"));
        }
        self.agree_on(Sampling::of(header))?;
        let place = self.place(&range, header.bins as usize)?;
        if let Some(bins) = bins {
            self.add_bins(place, range, bins);
        }
        Ok(())
    }

    /// Adds a file of BSD, which must have the range of the first histogram.
    pub(super) fn add_bsd(&mut self, file: &BsdFile<'_>) -> Result<(), ErrorKind> {
        let header = file.header();
        let range = header.low_pc..header.high_pc;
        // A rate of 0 cannot be meant.
        let rate = header.rate.filter(|&rate| rate != 0);
        if let (Some(first), Some(rate)) = (&self.sampling, rate) {
            if first.rate != rate {
                return Err(Conflict::Rate.into());
            }
        }
        let place = self.place_of_bsd(&range, header.bins as usize)?;
        if self.sampling.is_none() {
            let rate = rate.unwrap_or(BsdHeader::CLOCK_RATE);
            self.agree_on(Sampling::of_bsd(header, rate))?;
        }
        let bins = file.bins()?;
        self.add_bins(place, range, bins.iter().map(u64::from));
        self.has_bsd = true;
        Ok(())
    }

    /// Adds the sums of files that come after those of this one.
    pub(super) fn absorb(&mut self, other: Self) -> Result<(), ErrorKind> {
        let Some(sampling) = other.sampling else { return Ok(()) };
        for (index, Histogram { range, bins }) in other.list.into_iter().enumerate() {
            // What agrees with the first of the others need not agree with the first of all.
            let scale = scale(&range, bins.len());
            self.agree_on(Sampling { scale, ..sampling.clone() })?;
            let place = if index == 0 && other.has_bsd {
                self.has_bsd = true;
                self.place_of_bsd(&range, bins.len())?
            } else {
                self.place(&range, bins.len())?
            };
            self.add_bins(place, range, bins.into_iter());
        }
        Ok(())
    }

    /// Where in the list a range is; none if it is new.
    fn place(&self, range: &Range<FilePc>, bins: usize) -> Result<Option<usize>, Conflict> {
        if let Some(&place) = self.by_range.get(&key(range)) {
            let same = self.list[place].bins.len() == bins;
            return if same { Ok(Some(place)) } else { Err(Conflict::Scale) };
        }
        // The ranges are disjoint, so only the last one that begins before our end can reach us.
        let before = self.by_range.range(..(range.is_empty(), range.end, FilePc(0))).next_back();
        let overlaps = before.is_some_and(|(&(_, _, end), _)| range.start < end);
        if overlaps && !range.is_empty() { Err(Conflict::Overlap) } else { Ok(None) }
    }

    fn place_of_bsd(&self, range: &Range<FilePc>, bins: usize) -> Result<Option<usize>, Conflict> {
        match self.list.first() {
            None => Ok(None),
            Some(first) if first.range == *range && first.bins.len() == bins => Ok(Some(0)),
            Some(_) => Err(Conflict::Range),
        }
    }

    /// Adds bins to those at a place, or as a new histogram.
    fn add_bins(
        &mut self,
        place: Option<usize>,
        range: Range<FilePc>,
        bins: impl ExactSizeIterator<Item = u64>,
    ) {
        match place {
            // No run has the 2^48 records of full bins that it takes to exceed 64 bits.
            Some(place) => {
                let sums = &mut self.list[place].bins;
                sums.iter_mut().zip(bins).for_each(|(sum, bin)| *sum += bin);
            }
            None => {
                self.by_range.insert(key(&range), self.list.len());
                self.list.push(Histogram { range, bins: bins.collect() });
            }
        }
    }

    /// The first record decides what is counted; all others must count the same.
    fn agree_on(&mut self, new: Sampling) -> Result<(), Conflict> {
        /// Bin sizes may differ by this much from rounding of the range.
        const TOLERANCE: f64 = 0.000_001;
        let scale = new.scale;
        let finite = if scale.is_finite() { scale } else { 0.0 };
        let Some(first) = &mut self.sampling else {
            self.sampling = Some(Sampling { scale: finite, ..new });
            self.scale = scale;
            return Ok(());
        };
        if first.dimension != new.dimension {
            let first = first.dimension.clone();
            return Err(Conflict::Dimension { first, second: new.dimension });
        }
        if first.abbreviation != new.abbreviation {
            let first = first.abbreviation;
            return Err(Conflict::Abbreviation { first, second: new.abbreviation });
        }
        // An empty range without bins has no scale and agrees with all.
        if (self.scale - scale).abs() > TOLERANCE {
            return Err(Conflict::Scale);
        }
        if first.rate != new.rate {
            return Err(Conflict::Rate);
        }
        if self.scale.is_nan() {
            self.scale = scale;
            first.scale = finite;
        }
        Ok(())
    }
}

impl Histogram {
    /// The addresses that a bin covers. The bins divide the range evenly, so one may begin and end within
    /// a byte.
    #[must_use]
    pub fn addresses(&self, bin: usize) -> Range<f64> {
        let start = self.range.start.0;
        let border = |bin: usize| start as f64 + bin as f64 * self.bin_len();
        border(bin)..border(bin + 1)
    }

    /// The bytes of code that a bin covers.
    #[must_use]
    pub fn bin_len(&self) -> f64 {
        (self.range.end.0 - self.range.start.0) as f64 / self.bins.len() as f64
    }

    /// The addresses that a bin covers for GNU gprof, in units of [`GNU_UNIT`] bytes: it takes the size of a
    /// bin, the [scale](Sampling::scale), from the first histogram of a run, and rounds down.
    #[must_use]
    pub(crate) fn gnu_units(&self, bin: usize, scale: f64) -> Range<u64> {
        let low = self.range.start.0 / GNU_UNIT;
        let border = |bin: usize| low.wrapping_add((scale * bin as f64) as u64);
        border(bin)..border(bin + 1)
    }
}

/// Bytes in which GNU gprof measures bins, and what lies in them.
pub(crate) const GNU_UNIT: u64 = 2;

impl Sampling {
    /// Converts ticks to the unit of the dimension, normally seconds.
    #[must_use]
    pub fn units(&self, ticks: f64) -> f64 {
        ticks / f64::from(self.rate)
    }

    /// The size of a bin as reports state it: whole units of two bytes, as an integer even where bins
    /// are not a multiple of them.
    pub(crate) fn bytes_per_bin(&self) -> i64 {
        (self.scale as i64).wrapping_mul(GNU_UNIT as i64)
    }

    fn of(header: &HistogramHeader) -> Self {
        let name = header.dimension.split(|&byte| byte == 0).next().unwrap_or_default();
        Self {
            rate: header.rate,
            dimension: name.to_vec(),
            abbreviation: header.abbreviation,
            scale: scale(&(header.low_pc..header.high_pc), header.bins as usize),
        }
    }

    fn of_bsd(header: &BsdHeader, rate: u32) -> Self {
        let scale = scale(&(header.low_pc..header.high_pc), header.bins as usize);
        Self { rate, dimension: b"seconds".to_vec(), abbreviation: b's', scale }
    }
}

fn key(range: &Range<FilePc>) -> RangeKey {
    (range.is_empty(), range.start, range.end)
}

/// Size of a bin in units of two bytes: infinite or not a number if there are none.
fn scale(range: &Range<FilePc>, bins: usize) -> f64 {
    ((range.end.0 - range.start.0) / GNU_UNIT) as f64 / bins as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_divide_the_range_evenly_and_gnu_gprof_rounds_down() {
        let histogram = Histogram { range: FilePc(0x1000)..FilePc(0x1010), bins: vec![0; 3] };
        let scale = scale(&histogram.range, 3);
        assert_eq!(histogram.addresses(0), 4096.0..4096.0 + 16.0 / 3.0);
        assert_eq!(histogram.addresses(2).end, 4112.0);
        assert_eq!(
            [0, 1, 2].map(|bin| histogram.gnu_units(bin, scale)),
            [0x800..0x802, 0x802..0x805, 0x805..0x808,]
        );
        // A range that begins at an odd address, and a scale from another histogram.
        let histogram = Histogram { range: FilePc(0x1001)..FilePc(0x1005), bins: vec![0; 2] };
        assert_eq!(histogram.addresses(1), 4099.0..4101.0);
        assert_eq!(histogram.gnu_units(1, 1.0), 0x801..0x802);
        assert_eq!(histogram.gnu_units(1, scale), 0x802..0x805);
    }
}
