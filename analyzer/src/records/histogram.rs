//! Histograms of several records and files, added up where they cover the same range.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::error::{Conflict, ErrorKind};

/// Addresses of one range and how often each was sampled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// The addresses covered.
    pub range: Range<u64>,
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
    /// Size of a bin in units of two bytes of code.
    pub scale: f64,
}

/// All histograms of a run, in the order in which their ranges first appeared.
#[derive(Clone, Debug, Default)]
pub struct Histograms {
    list: Vec<Histogram>,
    /// Finds a histogram by its range. The ranges do not overlap.
    by_range: BTreeMap<(u64, u64), usize>,
    sampling: Option<Sampling>,
}

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

    /// Adds one record.
    pub(super) fn add(&mut self, record: &gmon_format::Histogram<'_>) -> Result<(), ErrorKind> {
        let header = &record.header;
        let range = header.low_pc..header.high_pc;
        if range.end < range.start {
            return Err(ErrorKind::Histogram("histogram ends before it starts"));
        }
        if header.rate == 0 {
            return Err(ErrorKind::Histogram("histogram with a profiling rate of 0"));
        }
        self.agree_on(Sampling::of(header))?;
        let bins = record.bins.iter().map(u64::from);
        if let Some(&index) = self.by_range.get(&(range.start, range.end)) {
            let sums = &mut self.list[index].bins;
            if sums.len() != bins.len() {
                return Err(Conflict::Scale.into());
            }
            sums.iter_mut().zip(bins).for_each(|(sum, bin)| *sum = sum.saturating_add(bin));
            return Ok(());
        }
        // The ranges are disjoint, so only the last one that begins before our end can reach us.
        let before = self.by_range.range(..(range.end, 0)).next_back();
        if before.is_some_and(|(&(_, end), _)| range.start < end) {
            return Err(Conflict::Overlap.into());
        }
        self.by_range.insert((range.start, range.end), self.list.len());
        self.list.push(Histogram { range, bins: bins.collect() });
        Ok(())
    }

    /// The first record decides what is counted; all others must count the same.
    fn agree_on(&mut self, new: Sampling) -> Result<(), Conflict> {
        /// Bin sizes may differ by this much from rounding of the range.
        const TOLERANCE: f64 = 0.000_001;
        let Some(first) = &self.sampling else {
            self.sampling = Some(new);
            return Ok(());
        };
        if first.dimension != new.dimension {
            return Err(Conflict::Dimension {
                first: first.dimension.clone(),
                second: new.dimension,
            });
        }
        if first.abbreviation != new.abbreviation {
            return Err(Conflict::Abbreviation {
                first: first.abbreviation,
                second: new.abbreviation,
            });
        }
        if (first.scale - new.scale).abs() > TOLERANCE {
            return Err(Conflict::Scale);
        }
        if first.rate != new.rate {
            return Err(Conflict::Rate);
        }
        Ok(())
    }
}

impl Sampling {
    /// Converts ticks to the unit of the dimension, normally seconds.
    #[must_use]
    pub fn units(&self, ticks: f64) -> f64 {
        ticks / f64::from(self.rate)
    }

    fn of(header: &gmon_format::HistogramHeader) -> Self {
        let name = header.dimension.split(|&byte| byte == 0).next().unwrap_or_default();
        let half_range = header.high_pc.wrapping_sub(header.low_pc) / 2;
        Self {
            rate: header.rate,
            dimension: name.to_vec(),
            abbreviation: header.abbreviation,
            scale: half_range as f64 / f64::from(header.bins),
        }
    }
}
