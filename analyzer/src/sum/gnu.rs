//! Writes a sum in the GNU format, in which nothing is too wide: it is split into several records.

use std::io::{self, Write};
use std::ops::Range;

use gmon_format::{Encoding, FilePc, HistogramHeader, Writer};

use super::contents::Sum;
use super::sink::{BUFFER, To};
use crate::records::{Histogram, Sampling};

impl Sum<'_> {
    /// Writes the sum in the GNU format. The same sum is always the same bytes.
    ///
    /// # Errors
    /// Those of the output, and if an arc counts more calls than one can have made.
    pub fn write_gnu(&self, encoding: Encoding, out: &mut dyn Write) -> io::Result<()> {
        let mut buffer = vec![0; BUFFER];
        let mut writer = Writer::new(To(out), encoding, &mut buffer)?;
        let header_len = 1 + HistogramHeader::len(encoding.word) as u64;
        if let Some(sampling) = self.histograms.sampling() {
            for histogram in self.histograms.list() {
                for part in parts(histogram, header_len) {
                    let used = histogram.bins[part.clone()].iter().copied().zip(0..);
                    let used =
                        used.filter(|(count, _)| *count != 0).map(|(count, bin)| (bin, count));
                    writer.histogram(&header(histogram, part, sampling), used)?;
                }
            }
        }
        for arc in self.arcs.iter() {
            if arc.count > MOST_CALLS {
                return Err(no_room(arc.count));
            }
            writer.arc(*arc)?;
        }
        if let Some(blocks) = &self.blocks {
            writer.blocks(blocks.iter().copied())?;
        }
        writer.finish().map(drop)
    }
}

/// Calls of one arc that take 65,536 records. A damaged file of BSD can have counts for which the disk
/// has no room, and that nobody would live to see the end of.
const MOST_CALLS: u64 = 1 << 48;

fn no_room(count: u64) -> io::Error {
    let text = format!("{count} calls along one arc are more than the GNU format has room for");
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// Bytes of a histogram's records up to which each has the whole range. GNU gprof wants no other where a function would
/// be in two of them.
const MOST_WHOLE: u64 = 1 << 26;

/// Bins that share records: as many as the largest count among them needs, each with all of the bins. Bins that need
/// many records get a range of their own if the whole range would take too much.
fn parts(histogram: &Histogram, header_len: u64) -> Vec<Range<usize>> {
    let all = 0..histogram.bins.len();
    let records = |count: u64| count.div_ceil(u16::MAX.into()).max(1);
    let cost = |records: u64, bins: usize| records.saturating_mul(header_len + 2 * bins as u64);
    let most = histogram.bins.iter().copied().max().unwrap_or(0);
    if cost(records(most), all.len()) <= MOST_WHOLE || histogram.whole_step().is_none() {
        return vec![all];
    }
    let mut parts: Vec<(u64, Range<usize>)> = Vec::new();
    for (bin, count) in histogram.bins.iter().enumerate() {
        let records = records(*count);
        if let Some((most, part)) = parts.last_mut() {
            let together = cost(records.max(*most), part.len() + 1);
            if together <= cost(*most, part.len()).saturating_add(cost(records, 1)) {
                (*most, part.end) = (records.max(*most), bin + 1);
                continue;
            }
        }
        parts.push((records, bin..bin + 1));
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

/// The header of a part of a histogram, which is the whole where bins begin within a byte.
fn header(histogram: &Histogram, part: Range<usize>, sampling: &Sampling) -> HistogramHeader {
    let mut dimension = [0; 15];
    for (place, byte) in dimension.iter_mut().zip(&sampling.dimension) {
        *place = *byte;
    }
    let Range { start, end } = histogram.range;
    let border = |bin: usize| match histogram.whole_step() {
        Some(step) => FilePc(start.0 + step * bin as u64),
        None => end,
    };
    HistogramHeader {
        low_pc: if part.start == 0 { start } else { border(part.start) },
        high_pc: border(part.end),
        // As many as some record announced, in 32 bits.
        bins: part.len() as u32,
        rate: sampling.rate,
        dimension,
        abbreviation: sampling.abbreviation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_that_need_many_records_have_a_range_of_their_own() {
        let parts = |bins: &[u64], len: u64| {
            let range = FilePc(0x1000)..FilePc(0x1000 + len);
            parts(&Histogram { range, bins: bins.to_vec() }, 40)
        };
        const DAY: u64 = 86_400_000;
        let with = |hot: &[u64]| [&[7; 50_000][..], hot, &[7; 50_000]].concat();
        let len = |bins: &[u64]| 4 * bins.len() as u64;
        let whole = |bins: &[u64]| std::iter::once(0..bins.len()).collect::<Vec<_>>();
        // Few records are whole.
        let warm = with(&[1 << 20]);
        assert_eq!(parts(&warm, len(&warm)), whole(&warm));
        let hot = with(&[DAY]);
        assert_eq!(parts(&hot, len(&hot)), [0..50_000, 50_000..50_001, 50_001..100_001]);
        // Neighbours share a header, and bins that begin within a byte stay together.
        let several = with(&[DAY, DAY - 1, 0, DAY]);
        assert_eq!(
            parts(&several, len(&several)),
            [0..50_000, 50_000..50_002, 50_002..50_003, 50_003..50_004, 50_004..100_004]
        );
        assert_eq!(parts(&hot, len(&hot) + 2), whole(&hot));
        assert_eq!(parts(&[], 0), whole(&[]));
    }
}
