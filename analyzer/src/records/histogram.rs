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

/// Meaning of the samples; the same for all histograms of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// Ticks per unit of the dimension, normally ticks per second.
    pub rate: u32,
    /// Unit, normally `seconds`; bytes, since nothing says in which encoding.
    pub dimension: Vec<u8>,
    /// Letter for the dimension, normally `s`.
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
    /// True if a file of BSD is among the sums: it can only be in the first histogram.
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

    /// Meaning of the counts; none if there is no histogram.
    #[must_use]
    pub fn sampling(&self) -> Option<&Sampling> {
        self.sampling.as_ref()
    }

    /// A copy of the ranges without samples.
    pub(super) fn emptied(&self) -> Self {
        let mut emptied = self.clone();
        emptied.list.iter_mut().for_each(|histogram| histogram.bins.fill(0));
        emptied
    }

    /// Counts samples at an address, if a histogram covers it.
    pub(super) fn count(&mut self, pc: FilePc, samples: u64) {
        let covering = self.list.iter_mut().find(|histogram| histogram.range.contains(&pc));
        let Some(Histogram { range, bins }) = covering else { return };
        let (offset, len) = (pc.0 - range.start.0, range.end.0 - range.start.0);
        let bin = u128::from(offset) * bins.len() as u128 / u128::from(len);
        if let Some(bin) = bins.get_mut(bin as usize) {
            *bin = bin.saturating_add(samples);
        }
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

    /// Position of a range in the list, and its bin: sums have parts of a range in records of their own. None if
    /// it is new, also where parts of it are there already.
    fn place(
        &self,
        range: &Range<FilePc>,
        bins: usize,
    ) -> Result<Option<(usize, usize)>, Conflict> {
        if let Some(&place) = self.by_range.get(&key(range)) {
            let same = self.list[place].bins.len() == bins;
            return if same { Ok(Some((place, 0))) } else { Err(Conflict::Scale) };
        }
        if range.is_empty() {
            return Ok(None);
        }
        // The ranges are disjoint, so the last ones that begin before our end reach us.
        let before = self.by_range.range(..(false, range.end, FilePc(0))).rev();
        for (_, &place) in before.take_while(|((_, _, end), _)| range.start < *end) {
            let found = &self.list[place];
            if let Some(bin) = part_at((&found.range, found.bins.len()), (range, bins)) {
                return Ok(Some((place, bin)));
            }
            part_at((range, bins), (&found.range, found.bins.len())).ok_or(Conflict::Overlap)?;
        }
        Ok(None)
    }

    fn place_of_bsd(
        &self,
        range: &Range<FilePc>,
        bins: usize,
    ) -> Result<Option<(usize, usize)>, Conflict> {
        match self.list.first() {
            None => Ok(None),
            Some(first) if first.range == *range && first.bins.len() == bins => Ok(Some((0, 0))),
            Some(_) => Err(Conflict::Range),
        }
    }

    /// Adds bins to those at a place, or as a new histogram.
    fn add_bins(
        &mut self,
        place: Option<(usize, usize)>,
        range: Range<FilePc>,
        bins: impl ExactSizeIterator<Item = u64>,
    ) {
        match place {
            // No run has the 2^48 records of full bins that it takes to exceed 64 bits.
            Some((place, bin)) => self.list[place].add(bin, bins),
            None => self.add_new(Histogram { range, bins: bins.collect() }),
        }
    }

    /// Adds a histogram of a new range, which takes in its parts, or becomes a part with the one right before it.
    fn add_new(&mut self, mut new: Histogram) {
        let before = self.by_range.range(..key(&new.range)).next_back();
        if let Some((&range, &place)) =
            before.filter(|(_, place)| self.list[**place].is_right_before(&new))
        {
            let joined = &mut self.list[place];
            joined.range.end = new.range.end;
            joined.bins.append(&mut new.bins);
            self.by_range.remove(&range);
            self.by_range.insert(key(&joined.range), place);
            return;
        }
        let places = self.list.len();
        self.list.retain(|old| {
            let bin = part_at((&new.range, new.bins.len()), (&old.range, old.bins.len()));
            bin.inspect(|&bin| new.add(bin, old.bins.iter().copied())).is_none()
        });
        self.by_range.insert(key(&new.range), places);
        self.list.push(new);
        if self.list.len() <= places {
            self.by_range = self.list.iter().map(|it| key(&it.range)).zip(0..).collect();
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

    /// True if another one goes on where this one ends, with bins of the same size, and a bin of one is full: large sums
    /// are written so, as only full bins need more records. Others that lie side by side stay apart.
    fn is_right_before(&self, next: &Self) -> bool {
        let step = self.whole_step();
        let is_full = |histogram: &Self| histogram.bins.iter().any(|bin| *bin >= u16::MAX.into());
        self.range.end == next.range.start
            && step.is_some()
            && step == next.whole_step()
            && (is_full(next) || is_full(self))
    }

    /// Adds to the bins from this one on.
    fn add(&mut self, bin: usize, counts: impl Iterator<Item = u64>) {
        self.bins[bin..].iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }

    /// The bytes of code that a bin covers, if any part of the histogram would have bins of the same size for every reader.
    pub(crate) fn whole_step(&self) -> Option<u64> {
        whole_step(&self.range, self.bins.len())
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

fn whole_step(range: &Range<FilePc>, bins: usize) -> Option<u64> {
    let (len, bins) = (range.end.0 - range.start.0, bins as u64);
    (bins > 0 && len > 0 && len % (GNU_UNIT * bins) == 0).then(|| len / bins)
}

/// The bin of a whole with which a part of it begins; none if it is no part. Both are a range and its number of bins.
fn part_at(whole: (&Range<FilePc>, usize), part: (&Range<FilePc>, usize)) -> Option<usize> {
    let step = whole_step(whole.0, whole.1)?;
    let is_inside = whole.0.start <= part.0.start && part.0.end <= whole.0.end;
    if !is_inside || whole_step(part.0, part.1)? != step {
        return None;
    }
    let before = part.0.start.0 - whole.0.start.0;
    (before % step == 0).then_some((before / step) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_range_are_the_range() {
        let header = |range: Range<u64>| HistogramHeader {
            low_pc: FilePc(range.start),
            high_pc: FilePc(range.end),
            bins: (range.end - range.start) as u32 / 4,
            rate: 100,
            dimension: HistogramHeader::SECONDS,
            abbreviation: b's',
        };
        const FULL: u64 = u16::MAX as u64;
        let sum = |ranges: &[Range<u64>], least: u64| {
            let mut all = Histograms::default();
            for range in ranges {
                let header = header(range.clone());
                all.add(&header, Some((0..header.bins).map(|bin| least + u64::from(bin))))?;
            }
            Ok::<_, ErrorKind>(all.list)
        };
        let (whole, parts) = (0x1000..0x1018, [0x1000..0x1004, 0x1004..0x100c, 0x100c..0x1018]);
        // How often each bin is there, and what it has beyond that.
        let of = |bins: [(u64, u64); 6]| {
            let bins = bins.map(|(times, more)| times * FULL + more).to_vec();
            vec![Histogram { range: FilePc(0x1000)..FilePc(0x1018), bins }]
        };
        let once = [(1, 0), (1, 0), (1, 1), (1, 0), (1, 1), (1, 2)];
        let twice = [(2, 0), (2, 1), (2, 3), (2, 3), (2, 5), (2, 7)];
        let some = [(2, 0), (1, 1), (1, 2), (2, 3), (2, 5), (2, 7)];
        let [first, second, third] = parts.clone();
        assert_eq!(sum(&parts, FULL).unwrap(), of(once));
        // Only what has a full bin was one.
        assert_eq!(sum(&parts, 1).unwrap().len(), 3);
        let after = [whole.clone(), first.clone(), second.clone(), third.clone()];
        assert_eq!(sum(&after, FULL).unwrap(), of(twice));
        let before = [first.clone(), second, third.clone(), whole.clone()];
        assert_eq!(sum(&before, FULL).unwrap(), of(twice));
        assert_eq!(sum(&[third, first, whole.clone()], FULL).unwrap(), of(some));
        // What is no part, though it begins or ends inside.
        for other in [0x1010..0x1020, 0x0ff8..0x1004, 0x1002..0x1006] {
            assert!(
                matches!(
                    sum(&[whole.clone(), other.clone()], 1),
                    Err(ErrorKind::Conflict(Conflict::Overlap))
                ),
                "{other:x?}"
            );
        }
    }

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
