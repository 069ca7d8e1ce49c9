//! The samples of source lines.

use std::ops::Range;

use gmon_format::FilePc;

use crate::image::{Lines, Location};
use crate::records::Histograms;

/// Divides the samples of each bin among the lines that it covers, by the bytes of their code, and gives
/// each part with the first address that it has. Code without a line gets none.
pub(crate) fn line_samples(
    histograms: &Histograms,
    lines: Lines<'_>,
    mut give: impl FnMut(FilePc, Location, f64),
) {
    for histogram in histograms.list() {
        let width = histogram.bin_len();
        for (bin, &ticks) in histogram.bins.iter().enumerate().filter(|(_, ticks)| **ticks != 0) {
            let Range { start: low, end: high } = histogram.addresses(bin);
            for piece in lines.pieces(FilePc(low.floor() as u64)..FilePc(high.ceil() as u64)) {
                let start = low.max(piece.code.start.0 as f64);
                let covered = high.min(piece.code.end.0 as f64) - start;
                let first = FilePc(start.ceil() as u64);
                give(first, piece.location, ticks as f64 * covered / width);
            }
        }
    }
}
